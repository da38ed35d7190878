import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {
  'members.title': 'الأعضاء',
  'members.heading': 'أعضاء {organization}',
  'members.lead': 'تحدد المنصة من ينتمي إلى هنا ومن هو مسؤول. لتغيير ذلك، تواصل مع مشغّلها.',
  'members.find': 'الاسم أو البريد الإلكتروني',
  'members.role': 'الدور',
  'members.roles.all': 'الكل',
  'members.roles.admin': 'مسؤول',
  'members.roles.member': 'عضو',
  'members.findSubmit': 'عرض',
  'members.findAll': 'عرض الكل',
  'members.name': 'الاسم',
  'members.workspaces': 'مساحات العمل',
  'members.noWorkspace': 'لا شيء',
  'members.more': 'و{count, number} غيرها',
  'members.lastSignIn': 'آخر تسجيل دخول',
  'members.unknown': 'غير معروف',
  'members.disabled': 'الحساب معطّل',
  'members.you': 'أنت',
  'members.nothingFound': 'لا يوجد عضو يطابق هذا البحث.',
  'members.empty': 'لا أحد ينتمي إلى هذه المؤسسة.',
}
