import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const signIn: Catalogue<typeof areas.signIn> = {
  'signIn.heading': 'Se connecter',
  'signIn.continueTo': 'pour continuer vers {app}',
  'signIn.email': 'Adresse e-mail',
  'signIn.password': 'Mot de passe',
  'signIn.showPassword': 'Afficher les caractères',
  'signIn.submit': 'Se connecter',
  'signIn.help':
    'Pas de compte, ou connexion impossible ? L’admin de votre organisation peut vous aider.',
  'signIn.wrong': 'Échec de la connexion. Vérifiez votre adresse e-mail et votre mot de passe.',
  'signIn.incomplete': 'Saisissez votre adresse e-mail et votre mot de passe.',
  'signIn.again': 'Reconnectez-vous pour confirmer votre identité.',
  'signIn.or': 'ou',
  'signIn.provider': 'Se connecter avec votre compte d’entreprise',
  'signIn.passkey': 'Utiliser une clé d’accès',
  'signIn.passkeyFailed':
    'La clé d’accès n’a pas fonctionné. Réessayez ou utilisez un autre moyen.',
  'signIn.passkeyCancelled': 'Aucune clé d’accès n’a été utilisée. Vous pouvez réessayer.',
  'signIn.providerOnly': 'La connexion par mot de passe est désactivée. Utilisez le bouton.',
  'signIn.providerAway': 'Le service de connexion ne répond pas. Réessayez dans une minute.',
  'signIn.providerDenied':
    'Vous avez annulé auprès du service de connexion, ou il a refusé la connexion.',
  'signIn.providerNotFresh':
    'Vous devez vous reconnecter, mais le service de connexion ne vous l’a pas demandé. Déconnectez-vous d’abord de ce service, puis réessayez.',
  'signIn.providerRefused': 'Le service de connexion a envoyé une réponse non valide. Recommencez.',
  'signIn.providerUnknown':
    'Cette connexion a pris trop de temps, a déjà servi ou a commencé dans un autre navigateur. Recommencez.',
  'signIn.tooMany':
    'Trop de tentatives. Réessayez dans {minutes, plural, one {# minute} other {# minutes}}.',
  'refusals.disabled.heading': 'Votre compte est désactivé ici',
  'refusals.disabled.message':
    'Le service de connexion vous connaît, mais ce compte ne peut pas se connecter.',
  'refusals.disabled.move':
    'Seul un admin peut le réactiver. Transmettez-lui la référence ci-dessous.',
  'refusals.email_missing.heading': 'Votre adresse e-mail est absente',
  'refusals.email_missing.message':
    'Le service de connexion ne l’a pas envoyée, or un compte en a besoin.',
  'refusals.email_missing.move': 'Un admin doit autoriser le service de connexion à l’envoyer.',
  'refusals.email_unverified.heading': 'Votre adresse e-mail n’est pas encore vérifiée',
  'refusals.email_unverified.message':
    'Le service de connexion n’a pas vérifié que l’adresse est la vôtre.',
  'refusals.email_unverified.move': 'Vérifiez-la auprès de ce service, puis reconnectez-vous ici.',
  'refusals.email_taken.heading': 'Votre adresse e-mail appartient ici à un autre compte',
  'refusals.email_taken.message':
    'Nous ne réunissons deux comptes que s’il est certain que les deux sont à vous. Rien n’a donc été modifié.',
  'refusals.email_taken.move':
    'Un admin peut régler ce problème. Transmettez-lui la référence ci-dessous.',
  'confirm.heading': 'Utilisez une clé d’accès pour continuer',
  'confirm.lead': 'Un mot de passe ne suffit pas pour cette page.',
  'confirm.use': 'Utiliser une clé d’accès',
  'confirm.noneHeading': 'Ajoutez une clé d’accès pour continuer',
  'confirm.none':
    'Vous n’avez pas encore de clé d’accès. Il suffit d’un instant : votre appareil demande votre empreinte, votre visage ou votre code.',
  'confirm.add': 'Ajouter une clé d’accès',
  'confirm.elsewhere':
    'La clé d’accès est perdue ou sur un autre appareil ? Un admin de ce serveur peut vous aider.',
  'confirm.deny': 'Ne pas installer',
  'confirm.home': 'Accueil',
  'signOut.heading': 'Se déconnecter ?',
  'signOut.lead':
    'Les applications que vous avez connectées continuent de fonctionner. Vous pouvez les déconnecter dans « Applications connectées ».',
  'signOut.submit': 'Se déconnecter',
  'signOut.stay': 'Garder la session ouverte',
  'endSession.heading': 'Se déconnecter ?',
  'endSession.lead': '{app} demande à vous déconnecter aussi de {brand}.',
  'endSession.anonymous': 'Un autre site demande à vous déconnecter de {brand}.',
  'endSession.who': 'Votre compte : {name}, {email}.',
  'endSession.submit': 'Se déconnecter',
  'endSession.stay': 'Garder la session ouverte',
  'signedOut.heading': 'Votre session est fermée',
  'signedOut.lead': 'Sur un ordinateur partagé, fermez aussi la fenêtre du navigateur.',
  'signedOut.signIn': 'Se reconnecter',
  'signedOut.provider':
    'Votre session auprès du service de connexion est peut-être encore ouverte. La prochaine personne sur ce navigateur pourrait se reconnecter sans mot de passe.',
  'signedOut.signOutThere': 'Se déconnecter aussi de ce service',
}
