import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  'facts.kind': 'ماذا',
  'facts.hint': 'ينتهي بـ',
  'facts.interface': 'الواجهة',
  'facts.app': 'التطبيق',
  'facts.keySet': 'مجموعة مفاتيح',
  'facts.organization': 'المؤسسة',
  'facts.may': 'يمكنه',
  'simulation.app': 'التطبيق',
  'simulation.submit': 'عرض',
  'simulation.workspaces': 'مساحات العمل',
  'simulation.causes.not_installed': 'التطبيق غير مثبَّت هنا',
}
