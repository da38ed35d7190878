import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {
  'members.title': 'Membres',
  'members.heading': 'Membres de {organization}',
  'members.lead':
    'La plateforme décide des membres et des admins de l’organisation. Pour une modification, adressez-vous à son opérateur.',
  'members.find': 'Nom ou adresse e-mail',
  'members.role': 'Rôle',
  'members.roles.all': 'Tous',
  'members.roles.admin': 'Admin',
  'members.roles.member': 'Membre',
  'members.findSubmit': 'Afficher',
  'members.findAll': 'Tout afficher',
  'members.name': 'Nom',
  'members.workspaces': 'Espaces de travail',
  'members.noWorkspace': 'Aucun',
  'members.more': 'et {count, number} de plus',
  'members.lastSignIn': 'Dernière connexion',
  'members.unknown': 'Inconnue',
  'members.disabled': 'Compte désactivé',
  'members.you': 'Vous',
  'members.nothingFound': 'Aucun membre ne correspond à cette recherche.',
  'members.apps': 'Applications',
  'members.noApp': 'Aucune',
  'members.back': 'Tous les membres',
  'members.appsOf': 'Applications qui agissent pour {person}',
  'members.noApps': 'Aucune application n’agit pour {person} pour le moment.',
  'members.empty': 'Cette organisation n’a aucun membre.',
}
