import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const steps: Catalogue<typeof areas.steps> = {
  'chooseOrganization.heading': 'Où voulez-vous utiliser {app} ?',
  'chooseOrganization.legend': 'Vos organisations',
  'chooseOrganization.unavailable':
    'L’application a indiqué une organisation que vous ne pouvez pas utiliser. Choisissez une des vôtres.',
  'chooseOrganization.roles.admin': 'Vous êtes admin',
  'chooseOrganization.roles.member': 'Vous êtes membre',
  'chooseOrganization.installed': 'application installée',
  'chooseOrganization.notInstalled': 'application pas encore installée',
  'chooseOrganization.submit': 'Continuer',
  'chooseOrganization.deny': 'Refuser',
  'chooseOrganization.chooseOne': 'Choisissez une organisation.',
  'chooseOrganization.noneHeading': 'Vous n’appartenez encore à aucune organisation',
  'chooseOrganization.none': '{app} travaille avec les données d’une organisation.',
  'chooseOrganization.noneMove':
    'Demandez à un admin d’ajouter ce compte, ou connectez-vous avec le compte que votre organisation connaît.',
  'chooseOrganization.signInAsOther': 'Utiliser un autre compte',
  'install.heading': 'Installer {app} dans {organization} ?',
  'install.lead':
    'Aucun membre ne pourra accorder à l’application plus que ce que vous approuvez maintenant.',
  'install.identity':
    '{name, select, true {{email, select, true {Elle demande aussi à chaque personne, au moment de l’autorisation, de partager son identité avec son nom et son adresse e-mail.} other {Elle demande aussi à chaque personne, au moment de l’autorisation, de partager son identité avec son nom.}}} other {{email, select, true {Elle demande aussi à chaque personne, au moment de l’autorisation, de partager son identité avec son adresse e-mail.} other {Elle demande aussi à chaque personne, au moment de l’autorisation, de partager son identité.}}}}',
  'install.approve': 'Installer',
  'install.deny': 'Annuler',
  'installLink.stays': 'Vous verrez ensuite les applications de l’organisation.',
  'installLink.back': 'Retour au répertoire',
  'installed.heading': '{app} est déjà installée dans {organization}',
  'installed.since': 'Installée le {on}. Rien ne change.',
  'installed.lead': 'Continuez pour configurer {app} pour cette organisation.',
  'installed.submit': 'Continuer',
  'installed.deny': 'Annuler',
  'installed.member': 'Seul un admin peut la configurer. Demandez à un admin d’ouvrir le lien.',
  'askAdmin.heading': 'Demander à un admin d’installer {app} dans {organization} ?',
  'askAdmin.who':
    '{admins, select, none {Seul un admin de l’organisation peut l’installer.} other {Seul un admin peut l’installer : {admins}.}}',
  'askAdmin.connectHeading': 'Demander à un admin l’accès à {app} dans {organization} ?',
  'askAdmin.connectWho':
    'Dans cette organisation, un admin approuve chaque personne avant qu’elle utilise une application.',
  'askAdmin.expired':
    'Aucun admin n’avait répondu à votre demande le {on}. Vous pouvez la renouveler.',
  'askAdmin.anotherAdmin': 'un autre admin',
  'askAdmin.refused': 'Votre demande a été refusée le {on}. Vous pouvez la renouveler.',
  'askAdmin.withdrawn': 'Vous avez retiré votre demande le {on}. Vous pouvez la renouveler.',
  'askAdmin.reason': 'Pourquoi en avez-vous besoin ?',
  'askAdmin.optional': 'facultatif',
  'askAdmin.reasonHint': 'Les admins voient ce texte avec votre nom et votre adresse e-mail.',
  'askAdmin.request': 'Demander à un admin',
  'askAdmin.again': 'Demander à nouveau',
  'requestSent.heading': 'Votre demande a été transmise aux admins',
  'requestSent.lead': 'Vous avez demandé l’installation de {app} dans {organization}.',
  'requestSent.seen':
    '{admins, select, none {Un admin la trouvera parmi les applications de l’organisation.} other {La demande est visible parmi les applications de l’organisation pour {admins}.}}',
  'requestSent.told':
    '{admins, select, none {Nous avons prévenu les admins.} other {Nous avons prévenu {admins}.}} Vous recevrez un e-mail lorsque la décision sera prise.',
  'requestSent.connectLead': 'Vous avez demandé à utiliser {app} dans {organization}.',
  'requestSent.link': 'Lien pour un admin',
  'requestSent.linkHint': 'Envoyez-le à un admin de l’organisation. Il ouvre la demande.',
  'requestSent.tryAgain': 'Vérifier à nouveau',
  'requestSent.asked':
    'Demande envoyée le {on}. Si vous n’avez plus besoin de l’application, retirez la demande.',
  'requestSent.withdraw': 'Retirer la demande',
  'consent.heading': 'Autoriser {app} à utiliser {organization} avec votre compte ?',
  'consent.apis': 'Elle demande l’accès à {apis}.',
  'consent.ownApi': 'l’API de cette plateforme',
  'consent.withheld':
    'Elle demande aussi ceci, que les admins de {organization} n’ont pas approuvé : {permissions}. Un admin peut l’approuver sous « Applications ». Recommencez ensuite dans l’application.',
  'consent.approve': 'Autoriser',
  'consent.deny': 'Refuser',
  'backToApp.heading': 'Retour à l’application',
  'backToApp.lead': 'Votre réponse est prête. L’application la reçoit dès que vous continuez.',
  'backToApp.submit': 'Continuer',
  'backToApp.close': 'Votre réponse est prête. Vous pouvez fermer cette fenêtre.',
}
