import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const summary: Catalogue<typeof areas.summary> = {
  'summary.less': 'ما تم تحديده أدناه فقط.',
  'summary.verbs.insertData': 'إنشاء',
  'summary.verbs.updateData': 'تعديل',
  'summary.verbs.deleteData': 'حذف',
  'summary.verbs.records:create': 'إنشاء',
  'summary.verbs.records:update': 'تعديل',
  'summary.verbs.records:delete': 'حذف',
  'summary.records': '{verbs} السجلات',
  'summary.things.read': 'قراءة كل شيء',
  'summary.things.readData': 'قراءة كل شيء',
  'summary.things.addFields': 'إضافة حقول',
  'summary.things.readMembers': 'الاطّلاع على أشخاص المؤسسة',
  'summary.things.documents:read': 'قراءة المستندات',
  'summary.things.workspace_members:read': 'الاطّلاع على الأعضاء',
  'summary.things.table:create': 'إنشاء جداول',
  'summary.things.table:modify': 'تغيير خيارات حقول القوائم المنسدلة',
  'summary.wideThings.teams:read': 'الاطّلاع على الفرق',
  'summary.wideThings.rootTable:create': 'إنشاء جداول',
  'summary.more':
    '{count, plural, zero {لا شيء آخر} one {تنفيذ إجراء آخر} two {تنفيذ إجراءين آخرين} few {تنفيذ # إجراءات أخرى} many {تنفيذ # إجراءً آخر} other {تنفيذ # إجراء آخر}}',
  'summary.inAll': 'يمكنه {things} في كل مساحات العمل.',
  'summary.inSome':
    '{count, plural, =0 {لا يمكنه بعد {things} في أي مساحة عمل.} one {يمكنه {things} في مساحة عمل واحدة.} two {يمكنه {things} في مساحتي عمل.} few {يمكنه {things} في # مساحات عمل.} many {يمكنه {things} في # مساحة عمل.} other {يمكنه {things} في # مساحة عمل.}}',
  'summary.inOrganization': 'يمكنه {things} في {organization}.',
  'summary.inAllAndWide': 'يمكنه {things} في كل مساحات العمل، و{wide} في المؤسسة بأكملها.',
  'summary.inSomeAndWide':
    '{count, plural, =0 {لا يمكنه بعد {things} في أي مساحة عمل، ويمكنه {wide} في المؤسسة بأكملها.} one {يمكنه {things} في مساحة عمل واحدة، و{wide} في المؤسسة بأكملها.} two {يمكنه {things} في مساحتي عمل، و{wide} في المؤسسة بأكملها.} few {يمكنه {things} في # مساحات عمل، و{wide} في المؤسسة بأكملها.} many {يمكنه {things} في # مساحة عمل، و{wide} في المؤسسة بأكملها.} other {يمكنه {things} في # مساحة عمل، و{wide} في المؤسسة بأكملها.}}',
  'summary.onlyWide': 'يمكنه {wide} في المؤسسة بأكملها.',
  'summary.nothing': 'لا يحصل على أي وصول إلى البيانات.',
  'summary.count.inAll':
    'يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في كل مساحات العمل.',
  'summary.count.inSome':
    '{places, plural, =0 {لا يمكنه بعد {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في أي مساحة عمل.} one {يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في مساحة عمل واحدة.} two {يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في مساحتي عمل.} few {يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في # مساحات عمل.} many {يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في # مساحة عمل.} other {يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في # مساحة عمل.}}',
  'summary.count.inOrganization':
    'يمكنه {count, plural, zero {تنفيذ # إجراء} one {تنفيذ إجراء واحد} two {تنفيذ إجراءين} few {تنفيذ # إجراءات} many {تنفيذ # إجراءً} other {تنفيذ # إجراء}} في {organization}.',
  'summary.sensitive': 'انتبه بشكل خاص إلى: {names}.',
  'summary.sensitiveAndMore': 'انتبه بشكل خاص إلى: {names}، و{count, number} غيرها.',
}
