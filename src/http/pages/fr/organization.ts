import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organization: Catalogue<typeof areas.organization> = {
  navigation: 'Pages de l’organisation',
  label: 'Organisation',
  'tabs.apps': 'Applications',
  'tabs.members': 'Membres',
  'tabs.keys': 'Jeux de clés',
  'tabs.activity': 'Activité',
  'tabs.review': 'Revue',
  'tabs.policy': 'Règles',
  'tabs.inspect': 'Inspecter',
  toDecide: '{count, number} à décider',
  outdated: 'Une autre personne a fait une modification. Voici l’état actuel.',
  'facts.may': 'Elle peut',
  'facts.where': 'Dans',
  'facts.everywhere': 'Tous les espaces de travail, y compris les futurs',
  'facts.nowhere': 'Aucun espace de travail',
  'facts.never': 'jamais',
  'facts.ends': 'Prend fin',
  'facts.idle':
    '{days, plural, one {après # jour sans utilisation} other {après # jours sans utilisation}}',
  'facts.orIdle':
    '{days, plural, one {ou après # jour sans utilisation} other {ou après # jours sans utilisation}}',
  'permissions.may': 'Ce qu’elle peut faire',
  'permissions.hint': 'Décochez ce que l’organisation ne veut pas autoriser.',
  'permissions.keyHint':
    'Cochez seulement ce qui est nécessaire. Vous pouvez le modifier à tout moment.',
  'editConflict.you': 'vous',
  'editConflict.heading':
    '{who, select, none {Une autre personne a modifié ces données pendant votre saisie. Vos modifications ne sont pas encore enregistrées.} other {Données modifiées par {who} le {at}, pendant votre saisie. Vos modifications ne sont pas encore enregistrées.}}',
  'editConflict.now': 'Enregistré actuellement',
  'editConflict.yours':
    'Le formulaire contient vos modifications. Enregistrez à nouveau pour remplacer l’état enregistré, ou annulez pour le garder.',
  'editConflict.name': 'Nom',
  'editConflict.description': 'Description',
  'editConflict.none': 'aucune',
}
