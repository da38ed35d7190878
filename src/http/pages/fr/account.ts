import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const account: Catalogue<typeof areas.account> = {
  'home.heading': '{brand}',
  'home.lead':
    'Ici, vous décidez quelles applications peuvent utiliser vos données, et vous pouvez les déconnecter.',
  'home.signedOut': 'Connectez-vous pour voir les applications que vous avez connectées.',
  'home.signIn': 'Se connecter',
  'home.welcome': 'Bonjour {name}',
  'home.yours': 'Votre compte',
  'home.connectedApps': 'Applications connectées',
  'home.connectedAppsHint': 'Voir ce que chaque application peut faire, et la déconnecter',
  'home.lastUsed': 'Dernière utilisation : {day}',
  'home.neverUsed': 'Jamais utilisée',
  'home.sessions': 'Sessions',
  'home.sessionsHint': 'Voir où votre session est ouverte, et la fermer',
  'home.passkeys': 'Clés d’accès',
  'home.passkeysHint': 'Se connecter avec une empreinte, un visage ou un code',
  'home.password': 'Mot de passe',
  'home.passwordHint': 'Le changer, et fermer toutes les autres sessions',
  'home.notifications': 'Notifications',
  'home.notificationsHint': 'Choisir les e-mails que vous recevez',
  'home.developer': 'Pour les développeurs d’applications',
  'home.operator': 'Opérateur',
  'home.console': 'Console de l’opérateur',
  'home.consoleHint':
    'Vérifier les applications, gérer les organisations, les personnes et les clés',
  'home.ownedApps': 'Applications que vous maintenez',
  'home.ownedAppsHint': 'Voir leur enregistrement, et remplacer leurs secrets',
  'home.directories': 'Applications que vous pouvez installer',
  'home.administered': 'Organisations que vous administrez',
  'home.organizationHint': 'Applications installées, demandes et jeux de clés',
  'home.guide': 'Guide pour les admins',
  'home.documentation': 'Documentation',
  'accountApps.heading': 'Applications connectées',
  'accountApps.lead':
    'Ces applications peuvent agir pour vous. Aucune n’accède à plus de données que vous.',
  'accountApps.emptyHeading': 'Aucune application connectée',
  'accountApps.empty':
    'Une application apparaît ici dès que vous l’autorisez à utiliser votre compte.',
  'accountApps.home': 'Accueil',
  'accountApps.inOrganization': 'dans {organization}',
  'accountApps.may': 'Elle peut',
  'accountApps.where': 'Dans',
  'accountApps.everywhere': 'Tous vos espaces de travail que l’organisation a approuvés',
  'accountApps.nowhere': 'Aucun espace de travail',
  'accountApps.actors': 'Autres applications qui agissent pour vous par son intermédiaire',
  'accountApps.since': 'Connectée',
  'accountApps.lastUsed': 'Dernière utilisation',
  'accountApps.never': 'jamais',
  'accountApps.movedFrom':
    'Elle continue avec l’accès que vous aviez donné à {app}, une version antérieure.',
  'accountApps.disconnect': 'Déconnecter',
  'accountApps.consequence':
    '{app} perd immédiatement l’accès à {organization} en votre nom. Elle garde les données qu’elle a copiées. Rien ne change pour les autres personnes, et vous pourrez l’autoriser à nouveau.',
  'accountApps.confirm': 'Déconnecter {app}',
  'accountApps.disconnected': 'L’application est déconnectée.',
  'accountTabs.label': 'Pages du compte',
  'accountTabs.apps': 'Applications connectées',
  'accountTabs.sessions': 'Sessions',
  'accountTabs.passkeys': 'Clés d’accès',
  'accountTabs.password': 'Mot de passe',
  'accountTabs.notifications': 'Notifications',
  'accountTabs.developer': 'Applications que vous maintenez',
  'sessions.heading': 'Sessions',
  'sessions.lead':
    'Votre session est ouverte dans ces navigateurs. Si vous n’en reconnaissez pas un, fermez sa session et changez votre mot de passe.',
  'sessions.current': 'Celle-ci',
  'sessions.since': 'Connexion',
  'sessions.lastSeen': 'Dernière activité',
  'sessions.end': 'Fermer',
  'sessions.endOthers': 'Fermer toutes les autres sessions',
  'sessions.othersHint': 'Cette session reste ouverte, toutes les autres sont fermées.',
  'sessions.ended': 'La session est fermée.',
  'sessions.othersEnded': 'Toutes les autres sessions sont fermées.',
  'sessions.gone': 'Cette session était déjà fermée.',
  'sessions.device':
    '{browser, select, none {{system, select, none {Un navigateur inconnu} other {Un navigateur sur {system}}}} other {{system, select, none {{browser}} other {{browser} sur {system}}}}}',
  'sessions.methods': 'Avec : {methods}',
  'sessions.methodNames.password': 'mot de passe',
  'sessions.methodNames.passkey': 'clé d’accès',
  'sessions.methodNames.oidc': 'service de connexion',
  'sessions.minutesAgo':
    '{minutes, plural, =0 {à l’instant} one {il y a # minute} other {il y a # minutes}}',
  'sessions.hoursAgo': '{hours, plural, one {il y a # heure} other {il y a # heures}}',
  'passkeys.heading': 'Clés d’accès',
  'passkeys.lead':
    'Une clé d’accès vous connecte avec votre empreinte, votre visage ou votre code. Elle ne peut pas être devinée et ne fonctionne pas sur les sites imités.',
  'passkeys.needsScript':
    'L’ajout et l’utilisation d’une clé d’accès exigent JavaScript et un navigateur compatible.',
  'passkeys.unavailable':
    'Les clés d’accès ne fonctionnent pas ici : il leur faut une adresse https avec un nom d’hôte. L’opérateur de ce serveur peut y remédier.',
  'passkeys.providerOnly':
    'Les clés d’accès sont désactivées : vous vous connectez par le service de connexion.',
  'passkeys.yours': 'Vos clés d’accès',
  'passkeys.none': 'Vous n’avez pas encore de clé d’accès.',
  'passkeys.added': 'Ajoutée',
  'passkeys.lastUsed': 'Dernière utilisation',
  'passkeys.never': 'jamais',
  'passkeys.addHeading': 'Ajouter une clé d’accès',
  'passkeys.name': 'Nom',
  'passkeys.nameHint': 'Un nom pour la reconnaître, par exemple « Portable ».',
  'passkeys.add': 'Ajouter',
  'passkeys.rename': 'Renommer',
  'passkeys.remove': 'Supprimer',
  'passkeys.consequence':
    '{name} ne permet plus de vous connecter, et les sessions ouvertes avec cette clé se ferment immédiatement. Votre appareil peut la garder dans sa liste.',
  'passkeys.confirm': 'Supprimer {name}',
  'passkeys.stale':
    'Votre dernière connexion est trop ancienne. Reconnectez-vous pour ajouter ou supprimer une clé d’accès.',
  'passkeys.signInAgain': 'Se reconnecter',
  'passkeys.unconfirmed':
    'Utilisez d’abord une de vos clés d’accès. Vous pourrez ensuite en ajouter ou en supprimer une.',
  'passkeys.useOne': 'Utiliser une clé d’accès',
  'passkeys.continue': 'Continuer',
  'passkeys.notices.added': 'La clé d’accès est ajoutée.',
  'passkeys.notices.renamed': 'La clé d’accès a été renommée.',
  'passkeys.notices.removed': 'La clé d’accès est supprimée.',
  'passkeys.faults.name': 'Donnez à la clé d’accès un nom de 100 caractères au plus.',
  'passkeys.faults.gone':
    'Cette clé d’accès n’existe plus. La liste montre vos clés d’accès actuelles.',
  'passkeys.faults.not_verified': 'La clé d’accès n’a pas pu être ajoutée. Réessayez.',
  'passkeys.faults.too_many':
    'Cette clé d’accès a déjà été ajoutée, ou vous en avez vingt. Supprimez-en d’abord une.',
  'passkeys.failed':
    'La clé d’accès n’a pas pu être ajoutée. Cet appareil en a peut-être déjà une pour vous.',
  'password.heading': 'Mot de passe',
  'password.lead':
    'Le changer ferme toutes vos autres sessions et déconnecte toutes les applications. Pour reconnecter une application, connectez-vous depuis celle-ci.',
  'password.none': 'Ce compte n’a pas de mot de passe ici. Vous vous connectez autrement.',
  'password.current': 'Mot de passe actuel',
  'password.next': 'Nouveau mot de passe',
  'password.nextHint':
    'Au moins 8 caractères, différent de votre nom et de votre adresse. Quelques mots sont plus simples que des symboles.',
  'password.passkeys': 'Supprimer aussi ces clés d’accès',
  'password.passkeysHint':
    'Cochez celles que vous ne reconnaissez pas, ou toutes si une autre personne a pu utiliser votre compte.',
  'password.submit': 'Changer le mot de passe',
  'password.changed': 'Le mot de passe est changé. Toutes vos autres sessions sont fermées.',
  'password.wrong': 'Le mot de passe actuel est incorrect.',
  'passwordFaults.length': 'Choisissez un mot de passe de 8 à 1000 caractères.',
  'passwordFaults.characters':
    'Ce mot de passe contient des caractères inutilisables, comme des sauts de ligne. Choisissez-en un autre.',
  'passwordFaults.common':
    'Choisissez un autre mot de passe : celui-ci est courant, ou n’est guère plus qu’un mot courant.',
  'passwordFaults.personal':
    'Choisissez un autre mot de passe : celui-ci n’est guère plus que l’adresse e-mail ou le nom.',
  'passwordFaults.service':
    'Choisissez un autre mot de passe : celui-ci n’est guère plus que le nom de ce service.',
  'passwordFaults.pattern':
    'Choisissez un autre mot de passe : celui-ci n’est guère plus qu’une répétition, une suite, une rangée de touches ou une date.',
}
