import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notices: Catalogue<typeof areas.notices> = {
  'notices.label': 'Neu seit Ihrem letzten Besuch',
  'notices.you': 'Sie',
  'notices.sentences.passkey.added':
    'Am {day} wurde ein Passkey hinzugefügt{address, select, none {} other {, von {address} aus}}.',
  'notices.sentences.key_set.created':
    'Am {day} wurde der Schlüsselsatz {client} von {organization} erstellt{address, select, none {} other {, von {address} aus}}. Erstellt von: {actor}.',
  'notices.sentences.key_set.rotated':
    'Am {day} wurde ein neues Secret für den Schlüsselsatz {client} von {organization} erstellt{address, select, none {} other {, von {address} aus}}. Erstellt von: {actor}.',
  'notices.sentences.install.approved':
    'Am {day} wurde {client} in {organization} installiert{address, select, none {} other {, von {address} aus}}. Installiert von: {actor}.',
  'notices.doubt': 'Unerwartet? Beenden Sie unbekannte Sitzungen unter',
  'notices.dismiss': 'Ich habe das gelesen',
}
