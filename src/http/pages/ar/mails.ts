import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  deletedApp: 'تطبيق محذوف',
  deletedOrganization: 'مؤسسة محذوفة',
  deletedKeySet: 'مجموعة مفاتيح محذوفة',
  'facts.time': 'الوقت',
  'facts.device': 'الجهاز',
  'facts.unknownDevice': 'غير معروف',
  'facts.address': 'عنوان IP',
  'facts.ends': 'الانتهاء',
  'requested.subject':
    '{organization}: طلب {app} من {person, select, none {أحد الأعضاء} other {{person}}}',
  'requested.lead':
    '{person, select, none {يطلب أحد أعضاء {organization} استخدام {app}.} other {وصلك طلب من {person} لاستخدام {app} في {organization}.}}',
  'requested.action': 'اتخاذ القرار',
  'waiting.subject':
    '{organization}: طلب {app} من {person, select, none {أحد الأعضاء} other {{person}}} لا يزال بانتظار ردك',
  'waiting.lead':
    '{person, select, none {طلب أحد أعضاء {organization} تطبيق {app} قبل ثلاثة أيام ولم يتلقَّ ردًا بعد.} other {وصل طلب من {person} للحصول على {app} قبل ثلاثة أيام ولم يُرَد عليه بعد.}}',
  'waiting.action': 'اتخاذ القرار',
  'approved.subject': 'تمت الموافقة على طلبك لتطبيق {app} في {organization}',
  'approved.lead': 'وافق أحد مسؤولي {organization} على طلبك. يمكنك استخدام {app} الآن.',
  'approved.action': 'تطبيقاتك المرتبطة',
  'refused.subject': 'رُفض طلبك لتطبيق {app} في {organization}',
  'refused.lead': 'رفض أحد مسؤولي {organization} طلبك لتطبيق {app}.',
  'refused.action': 'تطبيقاتك المرتبطة',
  'unanswered.subject': 'لا رد على طلبك لتطبيق {app} في {organization}',
  'unanswered.lead':
    'لم يرد مسؤولو {organization} على طلبك لتطبيق {app} في الوقت المحدد. يمكنك تقديم الطلب من جديد من التطبيق.',
  'unanswered.action': 'تطبيقاتك المرتبطة',
  'asksForMore.subject': 'يطلب {app} المزيد في {organization}',
  'asksForMore.lead':
    'يطلب {app} أذونات ليست لديه في {organization}. ولن يحصل على أي منها حتى تتخذ قرارك.',
  'asksForMore.action': 'اتخاذ القرار',
  'unused.subject': 'لم يُستخدم {app} في {organization} منذ 90 يومًا',
  'unused.lead': 'إذا لم تعد {organization} بحاجة إلى {app}، فألغِ تثبيته.',
  'unused.action': 'عرض التطبيق',
  'secretEnds.subject': 'ينتهي سر لتطبيق {app} في {day}',
  'secretEnds.lead':
    'ابتداءً من {day} تفشل الطلبات التي تستخدم هذا السر. تحقق من أن كل خادم لتطبيق {app} يستخدم سرًا أحدث.',
  'secretEnds.action': 'عرض الأسرار',
  'keyEnds.subject': '{organization}: ينتهي سر لمجموعة {keySet} في {day}',
  'keyEnds.lead':
    'ابتداءً من {day} تفشل الطلبات التي تستخدم هذا السر. تحقق من أن كل برنامج يستخدم {keySet} لديه سر أحدث.',
  'keyEnds.action': 'عرض مجموعات المفاتيح',
  'webhookOff.subject': 'تم تعطيل webhook لتطبيق {app}',
  'webhookOff.lead':
    'لم تعد نقطة النهاية موجودة، أو لم تقبل الرسائل منذ أيام. لن تتلقى أحداثًا أخرى من {app} حتى يُفعَّل webhook من جديد.',
  'webhookOff.action': 'عرض التطبيق',
  'webhookFailed.subject': 'لم تُسلَّم رسائل webhook لتطبيق {app}',
  'webhookFailed.lead': 'لم تقبلها نقطة نهاية لتطبيق {app} منذ أيام. ولن يُعاد إرسالها.',
  'webhookFailed.action': 'عرض التطبيق',
  'refusals.subject': 'ازداد كثيرًا عدد طلبات {app} المرفوضة',
  'refusals.lead':
    'المرفوض اليوم: {count}. في الأيام العادية يقل عدد طلبات {app} المرفوضة عن ذلك كثيرًا.',
  'refusals.action': 'عرض التطبيق',
  'reuse.subject': 'استُخدم رمز مميز لتطبيق {app} مرتين في {organization}',
  'reuse.lead':
    'قد تكون نسخة من رمز مميز قد وقعت في أيدٍ غير أمينة، لذا أنهينا هذا الربط مع {app}. يمكن لمستخدمه ربط التطبيق من جديد.',
  'reuse.action': 'عرض النشاط',
  'connected.subject': 'يمكن لتطبيق {app} الآن التصرف باسمك',
  'connected.lead':
    'ربطت {app} في {organization}. إذا لم تكن أنت من فعل ذلك، فألغِ ربطه وغيّر كلمة المرور.',
  'connected.action': 'تطبيقاتك المرتبطة',
  'disconnected.subject': 'لم يعد بإمكان {app} التصرف باسمك',
  'disconnected.lead': 'ألغى أحد مسؤولي {organization} ربط {app}.',
  'disconnected.action': 'تطبيقاتك المرتبطة',
  'passkey.subject': 'أُضيف مفتاح مرور إلى حسابك',
  'passkey.lead': 'إذا لم تكن أنت من فعل ذلك، فأزل مفتاح المرور وغيّر كلمة المرور.',
  'passkey.action': 'مفاتيح مرورك',
  'passwordChanged.subject': 'تم تغيير كلمة مرورك',
  'passwordChanged.lead':
    'انتهت جلساتك وتطبيقاتك المرتبطة السابقة. إذا لم تكن أنت من فعل ذلك، فعيّن كلمة مرور جديدة فورًا.',
  'passwordChanged.action': 'تعيين كلمة مرور جديدة',
  'newPlace.subject': 'تسجيل دخول جديد إلى حسابك',
  'newPlace.lead':
    'استُخدم حسابك على جهاز جديد أو في شبكة جديدة. إذا كنت أنت، فلا داعي لفعل شيء. وإلا فأنهِ الجلسة وغيّر كلمة المرور.',
  'newPlace.action': 'جلساتك',
  'forgotten.subject': 'تعيين كلمة مرور جديدة',
  'forgotten.lead':
    'يعمل الرابط مرة واحدة حتى {time}. إذا لم تطلبه، فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'forgotten.action': 'تعيين كلمة مرور جديدة',
  'invited.subject': 'حسابك في {brand}',
  'invited.lead':
    'أصبح لديك حساب في {brand}. عيّن كلمة مرور لتسجيل الدخول. يعمل الرابط مرة واحدة حتى {time}.',
  'invited.action': 'تعيين كلمة مرور',
  'digest.subject': 'أخبار تطبيقاتك',
  'digest.lead': 'جمعنا لك هنا الرسائل التي حان موعدها معًا:',
  'digest.action': 'الصفحة الرئيسية',
  'why.security': 'تخص هذه الرسالة أمان حسابك أو مؤسستك. لا يمكن إيقافها.',
  'why.account':
    'هل انتهت صلاحية الرابط؟ يمكن الحصول على رابط آخر من صفحة تسجيل الدخول أو من مسؤول.',
  'why.other': 'وصلتك هذه الرسالة بسبب دورك في مؤسسة أو تطبيق.',
  choose: 'اختر الرسائل التي تصلك',
  unsubscribe: 'عدم تلقي رسائل كهذه',
}
