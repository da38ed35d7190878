import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organization: Catalogue<typeof areas.organization> = {
  navigation: 'Seiten der Organisation',
  label: 'Organisation',
  'tabs.apps': 'Apps',
  'tabs.members': 'Mitglieder',
  'tabs.keys': 'Schlüsselsätze',
  'tabs.activity': 'Aktivität',
  'tabs.review': 'Überprüfung',
  'tabs.policy': 'Regeln',
  'tabs.inspect': 'Untersuchen',
  toDecide: '{count, number} zu entscheiden',
  outdated: 'Eine andere Person hat das geändert. Hier sehen Sie den aktuellen Stand.',
  'facts.may': 'Sie darf',
  'facts.where': 'In',
  'facts.everywhere': 'Alle Workspaces, auch künftige',
  'facts.nowhere': 'Kein Workspace',
  'facts.never': 'nie',
  'facts.ends': 'Endet',
  'facts.idle':
    '{days, plural, one {nach # Tag ohne Verwendung} other {nach # Tagen ohne Verwendung}}',
  'facts.orIdle':
    '{days, plural, one {oder nach # Tag ohne Verwendung} other {oder nach # Tagen ohne Verwendung}}',
  'permissions.may': 'Was erlaubt ist',
  'permissions.hint':
    'Entfernen Sie das Häkchen bei allem, was die Organisation nicht erlauben möchte.',
  'permissions.keyHint':
    'Wählen Sie nur, was für die Arbeit nötig ist. Sie können das jederzeit ändern.',
  'editConflict.you': 'Sie',
  'editConflict.heading':
    '{who, select, none {Eine andere Person hat das geändert, während Sie es bearbeitet haben. Ihre Änderungen sind noch nicht gespeichert.} other {Das wurde am {at} geändert, während Sie es bearbeitet haben. Geändert durch: {who}. Ihre Änderungen sind noch nicht gespeichert.}}',
  'editConflict.now': 'Jetzt gespeichert',
  'editConflict.yours':
    'Das Formular enthält Ihre Änderungen. Speichern Sie noch einmal, um den gespeicherten Stand zu ersetzen, oder brechen Sie ab, um ihn zu behalten.',
  'editConflict.name': 'Name',
  'editConflict.description': 'Beschreibung',
  'editConflict.none': 'keine',
}
