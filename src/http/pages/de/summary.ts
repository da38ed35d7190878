import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const summary: Catalogue<typeof areas.summary> = {
  'summary.less': 'Nur, was unten ausgewählt ist.',
  'summary.verbs.insertData': 'anlegen',
  'summary.verbs.updateData': 'ändern',
  'summary.verbs.deleteData': 'löschen',
  'summary.verbs.records:create': 'anlegen',
  'summary.verbs.records:update': 'ändern',
  'summary.verbs.records:delete': 'löschen',
  'summary.records': 'Datensätze {verbs}',
  'summary.things.read': 'alles lesen',
  'summary.things.readData': 'alles lesen',
  'summary.things.addFields': 'Felder hinzufügen',
  'summary.things.readMembers': 'die Personen der Organisation sehen',
  'summary.things.documents:read': 'Dokumente lesen',
  'summary.things.workspace_members:read': 'die Mitglieder sehen',
  'summary.things.table:create': 'Tabellen anlegen',
  'summary.things.table:modify': 'Auswahlmöglichkeiten von Dropdown-Feldern ändern',
  'summary.wideThings.teams:read': 'die Teams sehen',
  'summary.wideThings.rootTable:create': 'Tabellen anlegen',
  'summary.more': '{count, plural, one {# weitere Aktion} other {# weitere Aktionen}} ausführen',
  'summary.inAll': 'Darf in allen Workspaces {things}.',
  'summary.inSome':
    'Darf in {count, plural, =0 {noch keinem Workspace} one {# Workspace} other {# Workspaces}} {things}.',
  'summary.inOrganization': 'Darf in {organization} {things}.',
  'summary.inAllAndWide':
    'Darf in allen Workspaces {things} und in der ganzen Organisation {wide}.',
  'summary.inSomeAndWide':
    'Darf in {count, plural, =0 {noch keinem Workspace} one {# Workspace} other {# Workspaces}} {things} und in der ganzen Organisation {wide}.',
  'summary.onlyWide': 'Darf in der ganzen Organisation {wide}.',
  'summary.nothing': 'Erhält keinen Zugriff auf Daten.',
  'summary.count.inAll':
    'Darf in allen Workspaces {count, plural, one {# Aktion} other {# Aktionen}} ausführen.',
  'summary.count.inSome':
    'Darf in {places, plural, =0 {noch keinem Workspace} one {# Workspace} other {# Workspaces}} {count, plural, one {# Aktion} other {# Aktionen}} ausführen.',
  'summary.count.inOrganization':
    'Darf in {organization} {count, plural, one {# Aktion} other {# Aktionen}} ausführen.',
  'summary.sensitive': 'Genau ansehen: {names}.',
  'summary.sensitiveAndMore': 'Genau ansehen: {names} und {count, number} weitere.',
}
