import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': 'Neu seit Ihrem letzten Besuch',
  'notices.you': 'Sie',
  'notices.sentences.passkey.added':
    'Am {day} wurde{address, select, none {} other { von {address} aus}} ein Passkey zu Ihrem Konto hinzugefügt.',
  'notices.sentences.key_set.created':
    'Schlüsselsatz {client} von {organization} angelegt, am {day}{address, select, none {} other { von {address} aus}}, durch: {actor}.',
  'notices.sentences.key_set.rotated':
    'Neues Secret für den Schlüsselsatz {client} von {organization} angelegt, am {day}{address, select, none {} other { von {address} aus}}, durch: {actor}.',
  'notices.sentences.install.approved':
    '{client} in {organization} installiert, am {day}{address, select, none {} other { von {address} aus}}, durch: {actor}.',
  'notices.doubt':
    'Waren das nicht Sie oder eine Ihnen bekannte Person? Beenden Sie unbekannte Sitzungen unter',
  'notices.dismiss': 'Ich habe das gelesen',
}
