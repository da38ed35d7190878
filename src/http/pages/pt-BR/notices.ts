import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': 'Novidades desde sua última visita',
  'notices.you': 'Você',
  'notices.sentences.passkey.added':
    'Uma chave de acesso foi adicionada em {day}{address, select, none {} other { a partir de {address}}}.',
  'notices.sentences.key_set.created':
    '{actor} criou o conjunto de chaves {client} de {organization} em {day}{address, select, none {} other { a partir de {address}}}.',
  'notices.sentences.key_set.rotated':
    '{actor} criou um novo segredo para o conjunto de chaves {client} de {organization} em {day}{address, select, none {} other { a partir de {address}}}.',
  'notices.sentences.install.approved':
    '{actor} instalou {client} em {organization} em {day}{address, select, none {} other { a partir de {address}}}.',
  'notices.doubt': 'Inesperado? Encerre as sessões desconhecidas em',
  'notices.dismiss': 'Já li',
}
