import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const permissions: Catalogue<typeof areas.permissions> = {
  'identity.self.openid': 'Vous reconnaître à chaque visite',
  'identity.self.profile': 'Voir votre nom',
  'identity.self.email': 'Voir votre adresse e-mail',
  'identity.other.openid': 'Reconnaître la personne',
  'identity.other.profile': 'Voir le nom de la personne',
  'identity.other.email': 'Voir l’adresse e-mail de la personne',
  'permissionSentences.legacy.readData': 'Tout lire dans les bases de données de l’organisation',
  'permissionSentences.legacy.insertData': 'Créer des enregistrements',
  'permissionSentences.legacy.updateData': 'Modifier des enregistrements',
  'permissionSentences.legacy.deleteData': 'Supprimer des enregistrements',
  'permissionSentences.legacy.readMembers':
    'Lire les noms et les adresses e-mail des personnes de l’organisation',
  'permissionSentences.legacy.addFields': 'Ajouter des champs aux bases de données',
  'permissionSentences.current.documents:read':
    'Lire les documents et les modèles dans l’application de contenu',
  'permissionSentences.current.records:create': 'Créer des enregistrements',
  'permissionSentences.current.records:update': 'Modifier des enregistrements',
  'permissionSentences.current.records:delete': 'Supprimer des enregistrements',
  'permissionSentences.current.workspace_members:read':
    'Lire les noms et les adresses e-mail des membres des espaces de travail',
  'permissionSentences.current.teams:read':
    'Voir quelles équipes existent dans toute l’organisation',
  'permissionSentences.current.table:create':
    'Créer des tables dans les espaces de travail ci-dessous',
  'permissionSentences.current.table:modify': 'Modifier les choix des listes déroulantes',
  'permissionSentences.current.rootTable:create': 'Créer des tables dans l’organisation elle-même',
  'permissionList.legend': 'Elle pourra',
  'permissionList.hint': 'Décochez ce que vous ne voulez pas autoriser.',
  'permissionList.always': 'toujours inclus',
  'permissionList.none': 'Rien, sauf votre identité.',
  'permissionList.fresh': 'Nouveau',
  'permissionList.approved': 'Déjà approuvé',
  'permissionList.sensitive': 'À vérifier en premier',
  'permissionList.readEverything': 'Tout lire dans les espaces de travail ci-dessous',
  'permissionList.groups.identity': 'Identité',
  'permissionList.groups.read': 'Lecture',
  'permissionList.groups.write': 'Écriture',
  'permissionList.groups.people': 'Personnes',
  'permissionList.groups.structure': 'Structure',
  'permissionList.groups.other': 'Autres',
  'permissionList.groups.always': 'Toujours',
  'permissionList.marks.personal_data': 'données personnelles',
  'permissionList.marks.data_loss': 'perte de données possible',
  'permissionList.marks.whole_organization': 'toute l’organisation',
  'permissionList.marks.not_described': 'sans description',
  'permissionList.unknown': 'Utiliser l’autorisation « {name} »',
  'workspaces.legend': 'Où',
  'workspaces.all': 'Tous les espaces de travail, y compris les futurs',
  'workspaces.only': 'Seulement ceux-ci…',
  'workspaces.later': 'Aussi les espaces de travail que vous rejoindrez plus tard',
  'workspaces.ticked':
    '{count} sur {total, plural, one {# espace de travail} other {# espaces de travail}}',
  'workspaces.find': 'Chercher un espace de travail',
  'workspaces.tick': 'Cocher tous ceux affichés',
  'workspaces.untick': 'Décocher tous ceux affichés',
  'workspaces.shown': 'Affichés : {count}',
  'workspaces.reach':
    '{own, number} sur {total, plural, one {# espace de travail} other {# espaces de travail}}',
  'workspaces.approvedBy': 'approuvé par {by} le {on}',
  'workspaces.noneOwn':
    'Vous n’êtes membre d’aucun espace de travail approuvé : il n’y a encore rien à lire.',
  'workspaces.noneYet': 'Il n’y a pas encore d’espace de travail.',
  'workspaces.chooseOne': 'Choisissez au moins un espace de travail.',
}
