import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': 'Nouveau depuis votre dernière visite',
  'notices.you': 'vous',
  'notices.sentences.passkey.added':
    'Une clé d’accès a été ajoutée le {day}{address, select, none {} other { depuis {address}}}.',
  'notices.sentences.key_set.created':
    'Le jeu de clés {client} de {organization} a été créé par {actor} le {day}{address, select, none {} other { depuis {address}}}.',
  'notices.sentences.key_set.rotated':
    'Un nouveau secret du jeu de clés {client} de {organization} a été créé par {actor} le {day}{address, select, none {} other { depuis {address}}}.',
  'notices.sentences.install.approved':
    '{client} a été installée dans {organization} par {actor} le {day}{address, select, none {} other { depuis {address}}}.',
  'notices.doubt': 'Inattendu ? Fermez les sessions inconnues dans',
  'notices.dismiss': 'J’ai lu ce message',
}
