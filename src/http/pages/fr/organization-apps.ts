import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationApps: Catalogue<typeof areas.organizationApps> = {
  'apps.title': 'Applications',
  'apps.heading': 'Applications dans {organization}',
  'apps.waiting': 'En attente de votre décision ({count, number})',
  'apps.more':
    '{count, plural, one {# autre est en attente. Elle apparaîtra après votre décision sur celles-ci.} other {# autres sont en attente. Elles apparaîtront après votre décision sur celles-ci.}}',
  'apps.installed': 'Installées',
  'apps.find': 'Application',
  'apps.state': 'État',
  'apps.states.all': 'Tous',
  'apps.states.working': 'En service',
  'apps.states.suspended': 'Suspendue',
  'apps.states.unused': 'Inutilisée depuis 90 jours',
  'apps.findSubmit': 'Afficher',
  'apps.findAll': 'Tout afficher',
  'apps.nothingFoundHeading': 'Aucune application trouvée',
  'apps.nothingFound': 'Aucune application installée ne correspond à cette recherche.',
  'apps.emptyHeading': 'Aucune application installée',
  'apps.empty':
    'Quand un membre ouvre une application qui peut travailler avec cette organisation, un admin peut l’approuver ici ou dans l’application.',
  'apps.home': 'Accueil',
  'apps.app': 'Application',
  'apps.may': 'Peut',
  'apps.where': 'Où',
  'apps.people': 'Personnes',
  'apps.lastUsed': 'Dernière utilisation',
  'apps.others': 'et {count, number} de plus',
  'apps.onlyRead': 'Lire',
  'apps.noPermission': 'Rien par elle-même',
  'apps.everywhere': 'Tous les espaces de travail',
  'apps.noWorkspaces': 'Tout',
  'apps.working': 'En service',
  'apps.suspended': 'Suspendue',
  'apps.disabled': 'Désactivée par l’opérateur',
  'apps.freshHeading': 'Elle demande maintenant plus d’accès',
  'apps.freshWords': 'Avant votre décision, elle garde ce qui a été approuvé.',
  'apps.widen': 'Approuver ces autorisations',
  'apps.keep': 'Plus tard',
  'apps.declined':
    '{count, plural, one {# autorisation n’a pas été approuvée} other {# autorisations n’ont pas été approuvées}}',
  'apps.declinedWords':
    'L’application peut aussi les demander. Elle fonctionne sans elles autant que possible.',
  'apps.widenTicked': 'Approuver les autorisations cochées',
  'apps.suspendAll': 'Suspendre toutes les applications',
  'apps.together':
    '{count, plural, one {Toutes les applications ont été suspendues ensemble. # l’est encore.} other {Toutes les applications ont été suspendues ensemble. # le sont encore.}}',
  'apps.resumeAll': 'Les rétablir',
  'apps.done.admitted':
    'La demande est approuvée. Toutes les personnes qui l’ont faite peuvent maintenant utiliser l’application.',
  'apps.done.approved':
    'L’application est installée. Toutes les personnes qui l’ont demandée peuvent continuer.',
  'apps.done.refused':
    'La demande est refusée. La personne qui l’a faite le voit et peut la renouveler.',
  'apps.done.changed':
    'La modification est en vigueur. Elle s’applique à partir du prochain jeton de l’application.',
  'apps.done.widened':
    'L’application peut maintenant faire plus. Chaque personne donne d’abord son accord pour ce qui se fait en son nom.',
  'apps.done.kept': 'Rien n’a été modifié.',
  'apps.done.suspended':
    'L’application est suspendue. Elle n’a aucun accès jusqu’à son rétablissement.',
  'apps.done.resumed': 'L’application fonctionne à nouveau.',
  'apps.done.uninstalled': 'L’application est désinstallée. Ses jetons ne fonctionnent plus.',
  'apps.done.ended': 'L’accès pour cette personne a pris fin. Les jetons ne fonctionnent plus.',
  'apps.done.suspended_all':
    'Toutes les applications sont suspendues. Elles n’ont aucun accès jusqu’à leur rétablissement.',
  'apps.done.resumed_all': 'Les applications suspendues ensemble fonctionnent à nouveau.',
  'app.back': 'Toutes les applications',
  'app.heading': '{app} dans {organization}',
  'app.may': 'Ce qu’elle peut faire',
  'app.where': 'Où',
  'app.by': 'Approuvée par',
  'app.operator': 'L’opérateur de ce service',
  'app.since': 'Depuis',
  'app.lastUsed': 'Dernière utilisation',
  'app.change': 'Modifier les autorisations',
  'app.changeWithWorkspaces': 'Modifier les autorisations et les espaces de travail',
  'app.resumeWords': 'Elle n’a aucun accès ici jusqu’à son rétablissement.',
  'app.resume': 'Rétablir',
  'app.people': 'Personnes ({count, number})',
  'app.peopleLead': 'Ces personnes ont autorisé l’application à agir en leur nom.',
  'app.noPeople': 'Personne n’utilise cette application pour le moment.',
  'app.nobodyFound':
    'Aucune personne qui utilise cette application ne correspond à cette recherche.',
  'app.find': 'Nom ou adresse e-mail',
  'app.findSubmit': 'Chercher',
  'app.findAll': 'Tout afficher',
  'app.person': 'Personne',
  'app.end': 'Mettre fin à l’accès',
  'app.secrets': 'Secrets de l’application',
  'app.secretsLead':
    'Le développeur de l’application les garde. Demandez-lui de remplacer un ancien secret.',
  'app.noSecrets': 'L’application n’a pas de secret pour le moment.',
  'app.created': 'Création',
  'app.until': 'Fin de validité',
  'app.open': 'À son remplacement',
  'app.activity': 'Dernière activité',
  'app.noActivity': 'Aucune activité pour l’instant.',
  'app.allActivity': 'Toute l’activité de cette application',
  'app.stop': 'Arrêter cette application',
  'app.suspend': 'Suspendre',
  'app.suspendWords': 'Elle n’a aucun accès jusqu’à son rétablissement. Rien n’est perdu.',
  'app.uninstall': 'Désinstaller',
  'app.uninstallWords': 'Elle perd définitivement son accès.',
  'appChange.title': 'Modifier une application',
  'appChange.heading': 'Ce que {app} peut faire dans {organization}',
  'appChange.lead':
    'Les modifications s’appliquent à partir du prochain jeton. Un jeton en cours dure deux heures au plus. Si vous retirez quelque chose, les personnes n’ont pas à autoriser à nouveau l’application.',
  'appChange.save': 'Enregistrer',
  'appChange.back': 'Annuler',
  'stop.back': 'Annuler',
  'stop.uses':
    '{count, plural, =0 {Personne n’utilise {app} dans {organization} pour le moment.} one {# personne utilise {app} dans {organization}.} other {# personnes utilisent {app} dans {organization}.}}',
  'stop.uninstall.title': 'Désinstaller une application',
  'stop.uninstall.heading': 'Désinstaller {app} de {organization} ?',
  'stop.uninstall.atOnce':
    'Ses jetons cessent aussitôt et définitivement de fonctionner. Ce qu’elle est en train de faire s’arrête.',
  'stop.uninstall.again':
    'Pour l’utiliser à nouveau, un admin doit l’installer et chaque personne doit l’autoriser à nouveau.',
  'stop.uninstall.copies': 'Elle garde les données qu’elle a copiées.',
  'stop.uninstall.confirm': 'Désinstaller {app}',
  'stop.suspend.title': 'Suspendre une application',
  'stop.suspend.heading': 'Suspendre {app} dans {organization} ?',
  'stop.suspend.atOnce':
    'Ses jetons sont aussitôt refusés, jusqu’à son rétablissement. Ce qu’elle est en train de faire s’arrête.',
  'stop.suspend.nothingLost':
    'Aucune approbation n’est perdue, et les personnes n’ont pas à l’autoriser à nouveau ensuite.',
  'stop.suspend.confirm': 'Suspendre {app}',
  'stop.end.title': 'Mettre fin à l’accès',
  'stop.end.heading': 'Mettre fin à l’accès de {app} pour {person} ?',
  'stop.end.atOnce':
    '{app} ne peut plus agir ici pour {person}. Ses jetons pour cette personne cessent aussitôt de fonctionner.',
  'stop.end.others': 'Les autres personnes peuvent continuer à utiliser l’application.',
  'stop.end.again': '{person} peut autoriser à nouveau l’application.',
  'stop.end.confirm': 'Mettre fin à l’accès',
  'stop.suspendAll.title': 'Suspendre toutes les applications',
  'stop.suspendAll.heading': 'Suspendre toutes les applications dans {organization} ?',
  'stop.suspendAll.apps':
    '{count, plural, =0 {Aucune application n’est en service : rien ne change.} one {# application s’arrête aussitôt, pour toutes les personnes.} other {# applications s’arrêtent aussitôt, pour toutes les personnes.}}',
  'stop.suspendAll.nothingLost':
    'Aucune approbation n’est perdue. Vous pouvez les rétablir toutes ensemble.',
  'stop.suspendAll.before': 'Les applications déjà suspendues le resteront alors.',
  'stop.suspendAll.keys':
    'Les programmes avec un jeu de clés continuent de fonctionner, ainsi que les applications que vous installerez ensuite.',
  'stop.suspendAll.confirm': 'Suspendre toutes les applications',
  'stop.resumeAll.title': 'Rétablir les applications',
  'stop.resumeAll.heading': 'Rétablir les applications dans {organization} ?',
  'stop.resumeAll.apps':
    '{count, plural, =0 {Aucune application n’est suspendue avec d’autres : rien ne change.} one {# application retrouve son accès.} other {# applications retrouvent leur accès.}}',
  'stop.resumeAll.alone': 'Les applications suspendues une par une le restent.',
  'stop.resumeAll.confirm': 'Rétablir les applications',
  'requests.askedBy': 'Demandée par',
  'requests.on': 'le {date}',
  'requests.noReason': 'Aucun motif n’a été donné.',
  'requests.approve': 'Approuver et installer',
  'requests.installed':
    'L’application est installée. Vous décidez lesquelles de ces personnes peuvent l’utiliser.',
  'requests.admit': 'Approuver',
  'requests.refuse': 'Refuser',
  'ownRequests.waiting': 'Demandées, en attente d’un admin',
  'ownRequests.waitingLead':
    'Aucun admin n’a encore répondu. D’ici là, rien n’est partagé avec l’application.',
  'ownRequests.refused': 'Demandées et refusées',
  'ownRequests.asked': 'pour {organization}, demandée le {on}',
  'ownRequests.reason': 'Votre motif',
  'ownRequests.noReason': 'Vous n’avez pas donné de motif.',
  'ownRequests.expired': 'Demandées, sans réponse',
  'ownRequests.expiredOn':
    'Aucun admin n’avait répondu le {on}. Vous pouvez renouveler la demande depuis l’application.',
  'ownRequests.refusedOn':
    'Refusée le {on}. Vous pouvez renouveler la demande depuis l’application.',
  'ownRequests.withdraw': 'Retirer',
  'ownRequests.withdrawn': 'Votre demande est retirée. Les admins ne la voient plus.',
  'ownRequests.late':
    'Cette demande n’est plus ouverte : un admin y a répondu, ou vous l’avez retirée.',
}
