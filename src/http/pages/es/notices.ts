import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': 'Novedades desde tu última visita',
  'notices.you': 'Tú',
  'notices.sentences.passkey.added':
    'El {day} se agregó una llave de acceso{address, select, none {} other { desde {address}}}.',
  'notices.sentences.key_set.created':
    'Se creó el conjunto de claves {client} de {organization} el {day}{address, select, none {} other { desde {address}}}. Responsable: {actor}.',
  'notices.sentences.key_set.rotated':
    'Se creó un secreto para el conjunto de claves {client} de {organization} el {day}{address, select, none {} other { desde {address}}}. Responsable: {actor}.',
  'notices.sentences.install.approved':
    'Se instaló {client} en {organization} el {day}{address, select, none {} other { desde {address}}}. Responsable: {actor}.',
  'notices.doubt': '¿No lo esperabas? Cierra las sesiones desconocidas en',
  'notices.dismiss': 'Entendido',
}
