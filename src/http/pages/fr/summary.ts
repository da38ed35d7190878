import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const summary: Catalogue<typeof areas.summary> = {
  'summary.less': 'Seulement ce qui est coché ci-dessous.',
  'summary.verbs.insertData': 'créer',
  'summary.verbs.updateData': 'modifier',
  'summary.verbs.deleteData': 'supprimer',
  'summary.verbs.records:create': 'créer',
  'summary.verbs.records:update': 'modifier',
  'summary.verbs.records:delete': 'supprimer',
  'summary.records': '{verbs} des enregistrements',
  'summary.things.read': 'tout lire',
  'summary.things.readData': 'tout lire',
  'summary.things.addFields': 'ajouter des champs',
  'summary.things.readMembers': 'voir les personnes de l’organisation',
  'summary.things.documents:read': 'lire des documents',
  'summary.things.workspace_members:read': 'voir les membres',
  'summary.things.table:create': 'créer des tables',
  'summary.things.table:modify': 'modifier les choix des listes déroulantes',
  'summary.wideThings.teams:read': 'voir les équipes',
  'summary.wideThings.rootTable:create': 'créer des tables',
  'summary.more': 'faire {count, plural, one {# autre action} other {# autres actions}}',
  'summary.inAll': 'Peut {things} dans tous les espaces de travail.',
  'summary.inSome':
    'Peut {things} dans {count, plural, =0 {aucun espace de travail pour l’instant} one {# espace de travail} other {# espaces de travail}}.',
  'summary.inOrganization': 'Peut {things} dans {organization}.',
  'summary.inAllAndWide':
    'Peut {things} dans tous les espaces de travail, et {wide} dans toute l’organisation.',
  'summary.inSomeAndWide':
    'Peut {things} dans {count, plural, =0 {aucun espace de travail pour l’instant} one {# espace de travail} other {# espaces de travail}}, et {wide} dans toute l’organisation.',
  'summary.onlyWide': 'Peut {wide} dans toute l’organisation.',
  'summary.nothing': 'N’obtient aucun accès aux données.',
  'summary.count.inAll':
    'Peut faire {count, plural, one {# action} other {# actions}} dans tous les espaces de travail.',
  'summary.count.inSome':
    'Peut faire {count, plural, one {# action} other {# actions}} dans {places, plural, =0 {aucun espace de travail pour l’instant} one {# espace de travail} other {# espaces de travail}}.',
  'summary.count.inOrganization':
    'Peut faire {count, plural, one {# action} other {# actions}} dans {organization}.',
  'summary.sensitive': 'À examiner de près : {names}.',
  'summary.sensitiveAndMore': 'À examiner de près : {names} ; et {count, number} de plus.',
}
