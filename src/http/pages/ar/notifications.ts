import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notifications: Catalogue<typeof areas.notifications> = {
  title: 'الإشعارات',
  'categories.apps.label': 'التطبيقات المثبَّتة',
  submit: 'حفظ',
  'unsubscribe.choose': 'اختر الرسائل التي تصلك',
}
