import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  'facts.ends': 'ينتهي',
  'digest.action': 'الصفحة الرئيسية',
  choose: 'اختر الرسائل التي تصلك',
}
