import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organization: Catalogue<typeof areas.organization> = {
  navigation: 'صفحات المؤسسة',
  label: 'المؤسسة',
  'tabs.apps': 'التطبيقات',
  'tabs.members': 'الأعضاء',
  'tabs.keys': 'مجموعات المفاتيح',
  'tabs.activity': 'النشاط',
  'tabs.review': 'المراجعة',
  'tabs.policy': 'القواعد',
  'tabs.inspect': 'الفحص',
  toDecide: 'بانتظار القرار: {count, number}',
  outdated: 'غيّر شخص آخر هذا. هذه هي الحالة الحالية.',
  'facts.may': 'يمكنه',
  'facts.where': 'نطاق الوصول',
  'facts.everywhere': 'كل مساحات العمل، بما فيها المستقبلية',
  'facts.nowhere': 'لا توجد مساحات عمل',
  'facts.never': 'لم يُستخدم قط',
  'facts.ends': 'الانتهاء',
  'facts.idle':
    '{days, plural, zero {عند عدم الاستخدام} one {بعد يوم بلا استخدام} two {بعد يومين بلا استخدام} few {بعد # أيام بلا استخدام} many {بعد # يومًا بلا استخدام} other {بعد # يوم بلا استخدام}}',
  'facts.orIdle':
    '{days, plural, zero {أو عند عدم الاستخدام} one {أو بعد يوم بلا استخدام} two {أو بعد يومين بلا استخدام} few {أو بعد # أيام بلا استخدام} many {أو بعد # يومًا بلا استخدام} other {أو بعد # يوم بلا استخدام}}',
  'permissions.may': 'ما يُسمح له به',
  'permissions.hint': 'ألغِ تحديد ما لا تريد المؤسسة السماح به.',
  'permissions.keyHint': 'حدّد أقل ما يحتاج إليه العمل. يمكنك تغييره في أي وقت.',
  'editConflict.you': 'أنت',
  'editConflict.heading':
    '{who, select, none {غيّر شخص آخر هذا أثناء تعديلك. لم تُحفظ تغييراتك بعد.} other {تغيّر هذا أثناء تعديلك في {at}، المنفّذ: {who}. لم تُحفظ تغييراتك بعد.}}',
  'editConflict.now': 'المحفوظ الآن',
  'editConflict.yours':
    'يحتوي النموذج على تغييراتك. احفظ من جديد لاستبدال الحالة المحفوظة، أو ألغِ للإبقاء عليها.',
  'editConflict.name': 'الاسم',
  'editConflict.description': 'الوصف',
  'editConflict.none': 'لا شيء',
}
