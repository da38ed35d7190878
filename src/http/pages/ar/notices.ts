import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': 'جديد منذ آخر زيارة لك',
  'notices.you': 'أنت',
  'notices.sentences.passkey.added':
    'أُضيف مفتاح مرور في {day}{address, select, none {} other { من {address}}}.',
  'notices.sentences.key_set.created':
    'أُنشئت مجموعة المفاتيح {client} لدى {organization} في {day}{address, select, none {} other { من {address}}}. المنفّذ: {actor}.',
  'notices.sentences.key_set.rotated':
    'أُنشئ سر جديد لمجموعة المفاتيح {client} لدى {organization} في {day}{address, select, none {} other { من {address}}}. المنفّذ: {actor}.',
  'notices.sentences.install.approved':
    'ثُبّت {client} في {organization} في {day}{address, select, none {} other { من {address}}}. المنفّذ: {actor}.',
  'notices.doubt': 'غير متوقع؟ أنهِ الجلسات المجهولة من',
  'notices.dismiss': 'قرأت هذا',
}
