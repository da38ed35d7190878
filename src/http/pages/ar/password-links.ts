import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.link': 'هل نسيت كلمة المرور؟',
  'forgotten.title': 'هل نسيت كلمة المرور؟',
  'forgotten.heading': 'هل نسيت كلمة المرور؟',
  'forgotten.lead': 'نرسل رابطًا لتعيين كلمة مرور جديدة إلى عنوان حسابك.',
  'forgotten.submit': 'إرسال الرابط',
  'forgotten.incomplete': 'أدخل بريدك الإلكتروني.',
  'forgotten.sentTitle': 'تحقق من بريدك',
  'forgotten.sentHeading': 'تحقق من بريدك',
  'forgotten.sent': 'إذا كان العنوان {email} لحساب له كلمة مرور، فهناك رابط في الطريق إليه.',
  'forgotten.sentHint':
    'يعمل مرة واحدة خلال 30 دقيقة. لم تصلك رسالة؟ ابحث في مجلد الرسائل غير المرغوب فيها.',
  'forgotten.back': 'تسجيل الدخول',
  'newPassword.title': 'كلمة المرور الجديدة',
  'newPassword.heading': 'اختر كلمة مرور جديدة',
  'newPassword.consequence': 'يُسجَّل خروجك من كل مكان ويُلغى ربط كل التطبيقات.',
  'newPassword.invitedTitle': 'اختيار كلمة مرور',
  'newPassword.invitedHeading': 'مرحبًا، {name}',
  'newPassword.account': 'لحساب {email}',
  'newPassword.password': 'كلمة المرور الجديدة',
  'newPassword.submit': 'حفظ كلمة المرور',
  'newPassword.doneTitle': 'تم حفظ كلمة المرور',
  'newPassword.doneHeading': 'تم حفظ كلمة مرورك',
  'newPassword.done': 'سجّل الدخول بها.',
  'newPassword.signIn': 'تسجيل الدخول',
  'newPassword.goneTitle': 'انتهت صلاحية الرابط',
  'newPassword.goneHeading': 'لم يعد هذا الرابط يعمل',
  'newPassword.gone': 'سبق استخدامه، أو مضى عليه وقت طويل، أو تغيّرت كلمة مرورك منذ ذلك الحين.',
  'newPassword.again': 'الحصول على رابط آخر',
}
