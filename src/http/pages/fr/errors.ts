import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const errors: Catalogue<typeof areas.errors> = {
  'error.reference': 'Référence',
  'error.forDevelopers': 'Pour le développeur de l’application',
  'error.code': 'Erreur',
  'error.description': 'Description',
  'error.explained': 'Signification de chaque erreur',
  'error.home': 'Accueil',
  'error.signIn': 'Se connecter',
  'error.tryAgain': 'Réessayer',
  'error.loadAgain': 'Recharger la page',
  'error.request.heading': 'Cette application a envoyé une demande non valide',
  'error.request.message':
    'Le lien de l’application est incomplet ou erroné. Rien n’a été partagé.',
  'error.request.move':
    'Seul le développeur de l’application peut le corriger. Transmettez-lui la référence ci-dessous.',
  'error.unknownApp.heading': 'Cette application est inconnue ici',
  'error.unknownApp.message':
    'L’identifiant d’application de la demande n’est pas enregistré. Rien n’a été partagé.',
  'error.unknownApp.move':
    'Retournez à l’application et prévenez son développeur, avec la référence ci-dessous.',
  'error.unreviewedApp.heading': 'Cette application n’a pas été vérifiée ici',
  'error.unreviewedApp.message':
    'L’application n’est pas enregistrée auprès de ce service. Rien n’a été partagé.',
  'error.unreviewedApp.move':
    'Demandez à un admin de votre organisation ou à l’opérateur de ce service d’autoriser l’application. Indiquez la référence ci-dessous.',
  'error.waitingApp.heading': 'Cette application attend une vérification',
  'error.waitingApp.message':
    'L’opérateur de ce service doit d’abord vérifier l’application. Rien n’a été partagé.',
  'error.waitingApp.move':
    'Réessayez plus tard. Si c’est urgent, adressez-vous à l’opérateur de ce service, avec la référence ci-dessous.',
  'error.unreadableApp.heading': 'Nous n’avons pas pu lire la description de cette application',
  'error.unreadableApp.message':
    'Ce que l’application publie à son sujet est absent ou enfreint une règle. Rien n’a été partagé.',
  'error.unreadableApp.move':
    'Réessayez plus tard. Si le problème persiste, prévenez le développeur de l’application, avec la référence ci-dessous.',
  'error.redirectUri.heading':
    'Cette application veut vous envoyer vers une adresse non enregistrée',
  'error.redirectUri.message':
    'Nous avons arrêté la demande pour protéger votre compte. Rien n’a été partagé.',
  'error.redirectUri.move':
    'Le développeur de l’application doit enregistrer l’adresse ou corriger le lien.',
  'error.redirectUriOnDevice.heading': 'Ce programme renvoie vers une adresse non enregistrée',
  'error.redirectUriOnDevice.message':
    'Un programme sur cet ordinateur demande l’accès, mais son adresse n’est pas enregistrée. Rien n’a été partagé.',
  'error.redirectUriOnDevice.move':
    'Demandez à l’opérateur de l’enregistrer pour cette application : http://localhost ou http://127.0.0.1, comme le programme l’écrit, avec le même chemin. Une application sans secret peut alors utiliser n’importe quel port.',
  'error.installLink.heading': 'Ce lien d’installation est incomplet',
  'error.installLink.message': 'Rien n’a été installé ni partagé.',
  'error.installLink.move':
    'Retournez à l’application et recommencez. Si le problème se répète, envoyez à son développeur la référence ci-dessous.',
  'error.installLinkPermissions.heading':
    'Ce lien d’installation demande des autorisations inconnues',
  'error.installLinkPermissions.message':
    'Le lien demande une autorisation pour laquelle l’application n’est pas enregistrée. Rien n’a été installé.',
  'error.installLinkPermissions.move':
    'Prévenez le développeur de l’application, avec la référence ci-dessous.',
  'error.otherOrganization': 'Choisir une autre organisation',
  'error.suspended.heading': 'Cette application est suspendue ici',
  'error.suspended.message':
    'Un admin de l’organisation a suspendu l’application : elle n’a pas d’accès pour l’instant.',
  'error.suspended.move': 'Adressez-vous à un admin de l’organisation.',
  'error.appsClosed.heading': 'Cette application n’est pas installée',
  'error.appsClosed.message':
    'Les membres de cette organisation peuvent connecter seulement les applications installées.',
  'error.appsClosed.move': 'Un admin de l’organisation peut installer l’application.',
  'error.outOfReach.heading': 'Vous ne pouvez pas accorder à cette application ce qu’elle demande',
  'error.outOfReach.message':
    'Elle demande un espace de travail dont vous n’êtes pas membre ou qui n’est pas approuvé pour elle, ou une API indisponible pour cette organisation. Rien n’a été partagé, et le code reste valide.',
  'error.outOfReach.move':
    'Une personne qui y a accès peut saisir le code. Vous pouvez aussi utiliser un autre compte.',
  'error.expired.heading': 'Le délai est dépassé',
  'error.expired.message': 'La demande de l’application a expiré ou a déjà reçu une réponse.',
  'error.expired.move': 'Retournez à l’application et recommencez depuis celle-ci.',
  'error.answered.heading': 'Vous avez déjà répondu',
  'error.answered.message': 'Votre première réponse compte. Rien n’a été modifié.',
  'error.answered.move': 'Si vous n’êtes pas de retour dans l’application, continuez ici.',
  'error.answered.goOn': 'Continuer',
  'error.form.heading': 'Ce formulaire n’a pas pu être accepté',
  'error.form.message':
    'Votre session s’est terminée ou a changé depuis le chargement de la page, ou le formulaire vient d’un autre site. Rien n’a été modifié.',
  'error.form.move': 'Rechargez la page et répétez l’étape.',
  'error.notFound.heading': 'Page introuvable',
  'error.notFound.message': 'La page n’existe pas, ou vous n’avez pas le droit de la voir.',
  'error.notFound.move': 'Vérifiez l’adresse ou utilisez un autre compte.',
  'error.wrongMethod.heading': 'Cette page n’accepte pas la demande',
  'error.wrongMethod.message':
    'La page existe, mais elle n’accepte pas ce type de demande. Rien n’a été modifié.',
  'error.wrongMethod.move': 'Ouvrez la page depuis son lien ou son formulaire.',
  'error.noDocument.heading': 'Page introuvable',
  'error.noDocument.message': 'La documentation n’a pas de page à cette adresse.',
  'error.noDocument.move':
    'Elle a peut-être changé de nom. La première page mène à toutes les autres.',
  'error.noDocument.start': 'Documentation',
  'error.tooMany.heading': 'Trop de tentatives',
  'error.tooMany.message':
    'Vous avez envoyé trop de demandes en peu de temps. Rien n’a été modifié.',
  'error.tooMany.move': 'Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.',
  'error.tooManyHere.heading': 'Trop de demandes depuis votre réseau',
  'error.tooManyHere.message': 'Trop de demandes d’accès de votre réseau attendent une réponse.',
  'error.tooManyHere.move':
    'Connectez-vous d’abord et recommencez depuis l’application, pour que seules vos demandes comptent. Ou attendez {minutes, plural, one {# minute} other {# minutes}}.',
  'error.unavailable.heading': 'Nous ne pouvons pas répondre pour le moment',
  'error.unavailable.message': 'Une partie de ce service est indisponible. Rien n’a été modifié.',
  'error.unavailable.move': 'C’est à nous de réparer. Réessayez dans une minute.',
  'error.server.heading': 'Une erreur s’est produite de notre côté',
  'error.server.message': 'L’étape n’a pas abouti.',
  'error.server.move': 'Réessayez. Si l’erreur se répète, envoyez-nous la référence ci-dessous.',
}
