import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  deletedApp: 'une application supprimée',
  deletedOrganization: 'une organisation supprimée',
  deletedKeySet: 'un jeu de clés supprimé',
  'facts.time': 'Heure',
  'facts.device': 'Appareil',
  'facts.unknownDevice': 'Inconnu',
  'facts.address': 'Adresse IP',
  'facts.ends': 'Prend fin',
  'requested.subject':
    '{organization} : {person, select, none {un membre} other {{person}}} demande {app}',
  'requested.lead':
    '{person, select, none {Un membre de {organization} demande à utiliser {app}.} other {{person} demande à utiliser {app} dans {organization}.}}',
  'requested.action': 'Décider',
  'waiting.subject':
    '{organization} : {person, select, none {un membre} other {{person}}} attend toujours {app}',
  'waiting.lead':
    '{person, select, none {Un membre de {organization}} other {{person}}} a demandé {app} il y a trois jours et n’a pas encore de réponse.',
  'waiting.action': 'Décider',
  'approved.subject': 'Votre demande pour {app} dans {organization} a été approuvée',
  'approved.lead':
    'Un admin de {organization} a approuvé votre demande. Vous pouvez maintenant utiliser {app}.',
  'approved.action': 'Vos applications connectées',
  'refused.subject': 'Votre demande pour {app} dans {organization} a été refusée',
  'refused.lead': 'Un admin de {organization} a refusé votre demande pour {app}.',
  'refused.action': 'Vos applications connectées',
  'unanswered.subject': 'Votre demande pour {app} dans {organization} est sans réponse',
  'unanswered.lead':
    'Les admins de {organization} n’ont pas répondu à temps à votre demande pour {app}. Vous pouvez la renouveler depuis l’application.',
  'unanswered.action': 'Vos applications connectées',
  'asksForMore.subject': '{app} demande plus d’accès dans {organization}',
  'asksForMore.lead':
    '{app} demande des autorisations qu’elle n’a pas dans {organization}. Elle n’en obtient aucune avant votre décision.',
  'asksForMore.action': 'Décider',
  'unused.subject': '{app} n’a pas été utilisée depuis 90 jours dans {organization}',
  'unused.lead': 'Si {organization} n’a plus besoin de {app}, désinstallez-la.',
  'unused.action': 'Voir l’application',
  'secretEnds.subject': 'Un secret de {app} expire le {day}',
  'secretEnds.lead':
    'À partir du {day}, les demandes avec ce secret échouent. Vérifiez que chaque serveur de {app} utilise un secret plus récent.',
  'secretEnds.action': 'Voir les secrets',
  'keyEnds.subject': '{organization} : un secret de {keySet} expire le {day}',
  'keyEnds.lead':
    'À partir du {day}, les demandes avec ce secret échouent. Vérifiez que chaque programme avec {keySet} utilise un secret plus récent.',
  'keyEnds.action': 'Voir les jeux de clés',
  'webhookOff.subject': 'Un webhook de {app} est désactivé',
  'webhookOff.lead':
    'Son point de terminaison n’existe plus, ou n’a pas accepté de messages pendant plusieurs jours. Il ne reçoit plus d’événements de {app} jusqu’à sa réactivation.',
  'webhookOff.action': 'Voir l’application',
  'webhookFailed.subject': 'Des messages webhook de {app} n’ont pas été livrés',
  'webhookFailed.lead':
    'Un point de terminaison de {app} ne les a pas acceptés pendant plusieurs jours. Ils ne seront pas renvoyés.',
  'webhookFailed.action': 'Voir l’application',
  'refusals.subject': 'Beaucoup plus de demandes de {app} sont refusées',
  'refusals.lead':
    'Refus aujourd’hui : {count}. D’habitude, bien moins de demandes de {app} sont refusées par jour.',
  'refusals.action': 'Voir l’application',
  'reuse.subject': 'Un jeton de {app} a été utilisé deux fois dans {organization}',
  'reuse.lead':
    'Une copie d’un jeton est peut-être entre de mauvaises mains : nous avons mis fin à cette connexion de {app}. L’utilisateur peut reconnecter l’application.',
  'reuse.action': 'Voir l’activité',
  'connected.subject': '{app} peut maintenant agir en votre nom',
  'connected.lead':
    'Vous avez connecté {app} dans {organization}. Si ce n’était pas vous, déconnectez l’application et changez votre mot de passe.',
  'connected.action': 'Vos applications connectées',
  'disconnected.subject': '{app} ne peut plus agir en votre nom',
  'disconnected.lead': 'Un admin de {organization} a déconnecté {app}.',
  'disconnected.action': 'Vos applications connectées',
  'passkey.subject': 'Une clé d’accès a été ajoutée à votre compte',
  'passkey.lead': 'Si ce n’était pas vous, supprimez la clé d’accès et changez votre mot de passe.',
  'passkey.action': 'Vos clés d’accès',
  'passwordChanged.subject': 'Votre mot de passe a été changé',
  'passwordChanged.lead':
    'Vos sessions et vos applications connectées précédentes ont pris fin. Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe.',
  'passwordChanged.action': 'Choisir un nouveau mot de passe',
  'newPlace.subject': 'Nouvelle connexion à votre compte',
  'newPlace.lead':
    'Votre compte a été utilisé sur un nouvel appareil ou sur un nouveau réseau. Si c’était vous, vous n’avez rien à faire. Sinon, fermez la session et changez votre mot de passe.',
  'newPlace.action': 'Vos sessions',
  'forgotten.subject': 'Choisir un nouveau mot de passe',
  'forgotten.lead':
    'Le lien fonctionne une fois, jusqu’au {time}. Si vous ne l’avez pas demandé, ignorez cet e-mail : votre mot de passe reste le même.',
  'forgotten.action': 'Choisir un nouveau mot de passe',
  'invited.subject': 'Votre compte {brand}',
  'invited.lead':
    'Vous avez maintenant un compte {brand}. Choisissez un mot de passe pour vous connecter. Le lien fonctionne une fois, jusqu’au {time}.',
  'invited.action': 'Choisir un mot de passe',
  'digest.subject': 'Des nouvelles de vos applications',
  'digest.lead': 'Ces e-mails étaient prévus au même moment :',
  'digest.action': 'Accueil',
  'why.security':
    'Cet e-mail concerne la sécurité de votre compte ou de votre organisation. Il ne peut pas être désactivé.',
  'why.account': 'Le lien a expiré ? La page de connexion ou un admin peut en envoyer un autre.',
  'why.other':
    'Vous recevez cet e-mail en raison de votre rôle dans une organisation ou une application.',
  choose: 'Choisir les e-mails que vous recevez',
  unsubscribe: 'Ne plus recevoir d’e-mails de ce type',
}
