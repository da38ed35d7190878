import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  title: 'Inspecter un jeton',
  heading: 'Jetons de {organization}',
  lead: 'Voyez ce qu’est un jeton, ce qu’il permet et pourquoi il est refusé.',
  'form.heading': 'Que signifie ce jeton ?',
  'form.label': 'Jeton',
  'form.hint':
    'Un jeton d’accès, un jeton d’actualisation, un code ou un secret d’un jeu de clés. Il n’est ni conservé, ni journalisé, ni consommé.',
  'form.submit': 'Expliquer',
  'form.empty': 'Collez d’abord un jeton.',
  'verdict.accepted.access_token': 'Il est accepté actuellement.',
  'verdict.accepted.self_signed': 'Il est accepté actuellement.',
  'verdict.accepted.secret_key': 'Il est accepté actuellement.',
  'verdict.accepted.refresh_token':
    'Il est valide : l’application peut l’échanger une fois contre un jeton d’accès.',
  'verdict.accepted.code':
    'Il est valide : l’application peut l’échanger une fois contre des jetons.',
  'verdict.refused': 'Il n’est pas accepté.',
  'unknown.heading': 'Ce n’est pas un jeton de cette organisation',
  'unknown.why':
    'Il appartient à une autre organisation, n’a pas été copié en entier, ou a pris fin il y a si longtemps qu’il n’en reste aucune trace.',
  'unknown.move':
    'Copiez-le à nouveau en entier, sans guillemets. S’il vient d’une autre organisation, un admin de celle-ci peut l’inspecter.',
  'signedOtherwise.heading': 'Ce jeton n’est pas signé avec un secret du jeu de clés',
  'signedOtherwise.why':
    'Il prétend venir de {keySet}. Sans signature valide, rien de son contenu n’est fiable.',
  'signedOtherwise.move':
    'Signez avec HS256 et le texte du secret, sans le décoder. N’utilisez pas un secret retiré depuis longtemps.',
  'facts.kind': 'Nature',
  'facts.hint': 'Derniers caractères',
  'facts.interface': 'Interface',
  'facts.app': 'Application',
  'facts.keySet': 'Jeu de clés',
  'facts.actors': 'Par l’intermédiaire de',
  'facts.person': 'Pour',
  'facts.itself': 'Elle-même, pas une personne',
  'facts.organization': 'Organisation',
  'facts.may': 'Il permet de',
  'facts.might': 'Il permettrait de',
  'facts.nothing': 'Rien',
  'facts.issued': 'Émission',
  'facts.expires': 'Expiration',
  'facts.unknown': 'inconnue',
  'facts.withoutEnd': 'pas de date propre : il prend fin avec son secret ou l’accès accordé',
  'facts.key': 'Lié à une clé',
  'facts.keyNeeded': 'Il n’est valide qu’avec des preuves de la clé qui a cette empreinte :',
  'kinds.user': 'Jeton d’accès d’une application, pour une personne',
  'kinds.install': 'Jeton d’accès d’une application, pour elle-même',
  'kinds.refresh_token': 'Jeton d’actualisation d’une application, pour une personne',
  'kinds.code': 'Code d’autorisation d’une application, pour une personne',
  'kinds.self_signed': 'Jeton signé par un de vos programmes',
  'kinds.secret_key': 'Secret d’un jeu de clés',
  'interfaces.current': 'Actuelle',
  'interfaces.legacy': 'Ancienne',
  'reasons.actor_disabled.why':
    'L’opérateur de ce service a désactivé une application qui agit par l’intermédiaire de celle-ci, ou a mis fin à ses jetons.',
  'reasons.actor_disabled.move':
    'Adressez-vous à l’opérateur. Une fois réactivée, l’application obtient d’elle-même un nouveau jeton.',
  'reasons.actor_suspended.why':
    'Un admin a suspendu une application qui agit par l’intermédiaire de celle-ci.',
  'reasons.actor_suspended.move':
    'Rétablissez-la dans « Applications ». Le jeton est alors immédiatement accepté à nouveau.',
  'reasons.actor_uninstalled.why':
    'Une application qui agit par l’intermédiaire de celle-ci a été désinstallée.',
  'reasons.actor_uninstalled.move':
    'Installez-la à nouveau. Elle obtient alors d’elle-même un nouveau jeton.',
  'reasons.app_disabled.why':
    'L’opérateur de ce service a désactivé l’application, ou a mis fin à ses jetons.',
  'reasons.app_disabled.move':
    'Adressez-vous à l’opérateur. Une fois l’application réactivée, les personnes doivent l’autoriser à nouveau.',
  'reasons.code_expired_or_ended.why':
    'Le code n’a pas été utilisé dans la minute, ou l’accès accordé dont il dépend a pris fin.',
  'reasons.code_expired_or_ended.move': 'Recommencez depuis l’application.',
  'reasons.code_reused.why': 'Le code a déjà été utilisé. Un code fonctionne une fois.',
  'reasons.code_reused.move':
    'L’application doit garder les jetons obtenus avec le code. Si elle n’en a pas obtenu, déconnectez-la et recommencez.',
  'reasons.disconnected.why':
    'La personne a déconnecté l’application, ou un admin a mis fin à l’accès pour cette personne.',
  'reasons.disconnected.move':
    'Si c’était une erreur, la personne peut autoriser à nouveau l’application, depuis celle-ci.',
  'reasons.expired.why': 'Il a expiré.',
  'reasons.expired.move':
    'Une application en obtient un nouveau avec son jeton d’actualisation. Un programme avec un jeu de clés en signe un nouveau.',
  'reasons.expiry_malformed.why': 'Son heure d’expiration (exp) est illisible.',
  'reasons.expiry_malformed.move':
    'Écrivez-la en secondes entières depuis 1970, ni en texte ni en millisecondes.',
  'reasons.family_ended.why': 'L’accès accordé dont il dépend a pris fin.',
  'reasons.family_ended.move':
    'La personne doit autoriser à nouveau l’application, depuis celle-ci.',
  'reasons.grant_ended.why': 'L’accès accordé dont il dépend a pris fin.',
  'reasons.grant_ended.move':
    'La personne doit autoriser à nouveau l’application, depuis celle-ci.',
  'reasons.grant_unknown.why': 'L’accès accordé dont il provient n’existe plus.',
  'reasons.grant_unknown.move':
    'La personne doit autoriser à nouveau l’application, depuis celle-ci.',
  'reasons.id_token.why':
    'C’est un jeton d’identité : il indique à une application qui s’est connecté, mais ne donne aucun accès.',
  'reasons.id_token.move': 'Envoyez le jeton d’accès reçu avec lui.',
  'reasons.install_suspended.why': 'Un admin a suspendu l’application ici.',
  'reasons.install_suspended.move':
    'Rétablissez-la dans « Applications ». Le jeton est alors immédiatement accepté à nouveau.',
  'reasons.install_unknown.why': 'L’installation dont il provient n’existe plus.',
  'reasons.install_unknown.move': 'Installez à nouveau l’application, depuis celle-ci.',
  'reasons.issued_at_malformed.why': 'Son heure d’émission (iat) est absente ou illisible.',
  'reasons.issued_at_malformed.move':
    'Écrivez-la en secondes entières depuis 1970, ni en texte ni en millisecondes.',
  'reasons.issued_in_the_future.why': 'Son heure d’émission (iat) est dans le futur.',
  'reasons.issued_in_the_future.move': 'Corrigez l’horloge du programme qui signe.',
  'reasons.issuer_malformed.why': 'Son émetteur (iss) est absent ou illisible.',
  'reasons.issuer_malformed.move': 'Donnez à iss la valeur du Client ID du jeu de clés.',
  'reasons.key_set_unknown.why': 'Aucun jeu de clés n’a le Client ID indiqué dans iss.',
  'reasons.key_set_unknown.move':
    'Donnez à iss la valeur du Client ID d’un jeu de clés pour l’interface actuelle, exactement tel qu’affiché.',
  'reasons.moved.why': 'L’application l’a échangé contre un accès accordé à sa version actuelle.',
  'reasons.moved.move':
    'L’application doit utiliser le jeton obtenu en échange. Renvoyer celui-ci met fin à tout l’accès accordé.',
  'reasons.not_yet_valid.why': 'Il n’est pas encore valide (nbf).',
  'reasons.not_yet_valid.move':
    'Attendez, ou omettez nbf. Corrigez l’horloge du programme qui signe.',
  'reasons.other_audience.why': 'Il est destiné à une autre API (aud).',
  'reasons.other_audience.move':
    'Utilisez-le auprès de celle-ci. Dans un jeton à vous, omettez aud.',
  'reasons.other_issuer.why': 'Il a été émis sous une autre adresse de ce service.',
  'reasons.other_issuer.move': 'L’application doit en obtenir un nouveau ici.',
  'reasons.password_changed.why':
    'La personne a changé de mot de passe, ce qui met fin aux accès accordés auparavant.',
  'reasons.password_changed.move':
    'La personne doit autoriser à nouveau l’application, depuis celle-ci.',
  'reasons.permissions_malformed.why': 'Ses autorisations ne sont pas une liste de noms.',
  'reasons.permissions_malformed.move':
    'Écrivez-les sous forme de liste, ou omettez-les pour lire seulement.',
  'reasons.refresh_token_reused.why':
    'Le jeton d’actualisation a déjà été utilisé. Chacun fonctionne une fois.',
  'reasons.refresh_token_reused.move':
    'L’application doit utiliser le plus récent qu’elle a obtenu. Renvoyer celui-ci met fin à tout l’accès accordé.',
  'reasons.reuse_detected.why':
    'Un code ou un jeton d’actualisation de cet accès a été utilisé deux fois. Il a peut-être été volé : tout l’accès accordé a pris fin.',
  'reasons.reuse_detected.move':
    'Cherchez si l’application envoie deux fois un jeton d’actualisation ou si un jeton a été volé. La personne autorise ensuite à nouveau l’application.',
  'reasons.revoked.why': 'L’application a révoqué l’accès qui lui avait été accordé.',
  'reasons.revoked.move': 'La personne doit autoriser à nouveau l’application, depuis celle-ci.',
  'reasons.secret_of_current_key_set.why':
    'C’est le Client Secret lui-même. Il signe des jetons et n’est jamais envoyé.',
  'reasons.secret_of_current_key_set.move':
    'Signez un JWT avec ce secret et envoyez le JWT. Si le secret a été envoyé à un tiers, renouvelez le jeu de clés.',
  'reasons.secret_retired.why': 'Le secret utilisé a été retiré.',
  'reasons.secret_retired.move':
    'Faites utiliser le secret actif par le programme. S’il est perdu, renouvelez le jeu de clés.',
  'reasons.secret_unknown.why': 'Aucun jeu de clés n’a ce secret.',
  'reasons.secret_unknown.move':
    'Il a été retiré depuis longtemps, appartient à une autre organisation, ou n’a pas été copié en entier.',
  'reasons.signature_invalid.why':
    'La signature est incorrecte : le jeton a été modifié, ou signé avec un autre secret.',
  'reasons.signature_invalid.move':
    'Signez avec HS256 et le texte du secret, sans le décoder. N’utilisez pas un secret retiré depuis longtemps.',
  'reasons.superseded.why':
    'Cette personne a accordé à l’application beaucoup d’accès plus récents. Les plus anciens prennent fin.',
  'reasons.superseded.move':
    'L’application doit garder et actualiser ses jetons au lieu de refaire la demande à chaque fois.',
  'reasons.token_revoked.why': 'L’application a révoqué ce jeton.',
  'reasons.token_revoked.move': 'L’application peut en obtenir un autre.',
  'reasons.uninstalled.why': 'L’application a été désinstallée ici.',
  'reasons.uninstalled.move':
    'Pour l’utiliser à nouveau, un admin doit l’installer et chaque personne doit l’autoriser à nouveau.',
  'reasons.unreadable.why': 'Ce service ne peut pas l’avoir émis.',
  'reasons.unreadable.move': 'Copiez-le à nouveau en entier, sans guillemets.',
  'reasons.user_disabled.why': 'Le compte de la personne a été désactivé.',
  'reasons.user_disabled.move': 'Seul l’opérateur peut le réactiver.',
  'reasons.user_left.why': 'La personne n’est plus membre de l’organisation.',
  'reasons.user_left.move':
    'Ajoutez à nouveau la personne. Elle doit ensuite autoriser à nouveau l’application.',
  'reasons.workspace_ids_malformed.why':
    'Ses espaces de travail (workspace_ids) ne sont pas une liste d’identifiants.',
  'reasons.workspace_ids_malformed.move':
    'Écrivez-les sous forme de liste, ou omettez-les pour tous les inclure.',
  'simulation.heading': 'Qu’obtiendrait une application ?',
  'simulation.lead': 'Aucun jeton n’est émis, et aucune personne n’est sollicitée.',
  'simulation.app': 'Application',
  'simulation.chooseApp': 'Choisir une application',
  'simulation.person': 'Pour',
  'simulation.itself': 'Elle-même, pas une personne',
  'simulation.submit': 'Afficher',
  'simulation.missing': 'Choisissez une application et un membre de l’organisation.',
  'simulation.none': 'Aucune application n’a jamais été installée ici.',
  'simulation.result':
    '{person, select, none {Ce que {app} obtiendrait pour elle-même} other {Ce que {app} obtiendrait pour {person}}}',
  'simulation.granted': 'Elle obtiendrait un jeton.',
  'simulation.refused': 'Elle n’obtiendrait pas de jeton.',
  'simulation.asksAgain':
    'L’application demande plus que ce que la personne a vu : la question lui sera à nouveau posée la prochaine fois.',
  'simulation.permissions': 'Autorisations',
  'simulation.workspaces': 'Espaces de travail',
  'simulation.noWorkspace': 'Il n’y a pas d’espace de travail.',
  'simulation.permission': 'Autorisation',
  'simulation.workspace': 'Espace de travail',
  'simulation.because': 'Raison',
  'simulation.yes': 'oui',
  'simulation.no': 'non',
  'simulation.given': 'Dans le jeton',
  'simulation.obstacles.app_disabled': 'L’opérateur de ce service a désactivé l’application.',
  'simulation.obstacles.legacy_interface':
    'Les applications de l’ancienne interface n’agissent jamais pour elles-mêmes.',
  'simulation.obstacles.public_client':
    'Une application qui s’exécute sur les appareils des personnes n’agit jamais pour elle-même.',
  'simulation.obstacles.user_disabled': 'Le compte de la personne a été désactivé.',
  'simulation.obstacles.user_left': 'La personne n’est pas membre de l’organisation.',
  'simulation.obstacles.not_installed': 'L’application n’est pas installée ici.',
  'simulation.obstacles.install_suspended': 'Un admin a suspendu l’application ici.',
  'simulation.obstacles.consent_missing':
    'La personne n’a pas encore autorisé l’application et son accord serait demandé.',
  'simulation.obstacles.malformed': 'Le scope ou les espaces de travail demandés sont illisibles.',
  'simulation.obstacles.openid_missing': 'Elle demande un nom ou une adresse e-mail sans openid.',
  'simulation.obstacles.openid_not_allowed':
    'Elle demande l’identité de la personne, mais n’est pas enregistrée pour cela.',
  'simulation.obstacles.openid_not_approved':
    'Elle demande plus de données personnelles que la personne n’en a autorisé.',
  'simulation.obstacles.unknown_permission': 'Elle demande une autorisation qui n’existe pas.',
  'simulation.obstacles.permission_not_approved':
    'Elle demande une autorisation qui n’a pas été approuvée.',
  'simulation.obstacles.workspace_not_approved':
    'Elle demande un espace de travail qui n’a pas été approuvé.',
  'simulation.causes.granted': 'approuvé',
  'simulation.causes.not_asked_by_app': 'l’application ne le demande jamais',
  'simulation.causes.not_installed': 'l’application n’est pas installée ici',
  'simulation.causes.not_approved_by_admin': 'aucun admin ne l’a approuvé',
  'simulation.causes.consent_missing': 'la question n’a pas encore été posée à la personne',
  'simulation.causes.withheld_by_user': 'la personne ne l’a pas autorisé',
  'simulation.causes.left_out_by_request': 'la demande l’omet',
  'simulation.causes.not_a_member': 'la personne n’est pas dans cet espace de travail',
}
