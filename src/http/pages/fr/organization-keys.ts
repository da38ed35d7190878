import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationKeys: Catalogue<typeof areas.organizationKeys> = {
  'keys.title': 'Jeux de clés',
  'keys.heading': 'Jeux de clés de {organization}',
  'keys.lead':
    'Avec un jeu de clés, vos propres programmes peuvent utiliser les données de l’organisation sans qu’une personne se connecte.',
  'keys.create': 'Nouveau jeu de clés',
  'keys.emptyHeading': 'Il n’y a pas encore de jeu de clés',
  'keys.empty': 'Créez-en un par programme, pour pouvoir en supprimer un sans toucher aux autres.',
  'keys.interfaces.current': 'Interface actuelle',
  'keys.interfaces.legacy': 'Ancienne interface',
  'keys.ids.current': 'Client ID',
  'keys.ids.legacy': 'App ID',
  'keys.by': 'Créé par',
  'keys.workloads': 'Charges de travail de confiance (sans secret)',
  'keys.created': 'Création',
  'keys.operator': 'L’opérateur de ce service',
  'keys.secrets': 'Secrets',
  'keys.noSecret':
    'Aucun secret n’est actif : aucun programme ne peut utiliser ce jeu de clés avant son renouvellement.',
  'keys.noSecretNeeded':
    'Aucun secret n’est actif. Seules les charges de travail de confiance obtiennent des jetons de ce jeu de clés.',
  'keys.secret.hint': 'Derniers caractères',
  'keys.secret.created': 'Création',
  'keys.secret.lastUsed': 'Dernière utilisation',
  'keys.secret.until': 'Fin de validité',
  'keys.secret.open': 'À son retrait',
  'keys.secret.standing': 'État',
  'keys.secret.standings.only': 'Actif',
  'keys.secret.standings.newest': 'Le plus récent ; à garder',
  'keys.secret.standings.inUse': 'Encore utilisé, en dernier le {when} ; ne pas retirer',
  'keys.secret.standings.resting':
    'Dernière utilisation le {when}, avant la création du plus récent ; retrait possible quand chaque programme qui l’utilisait aura fonctionné à nouveau',
  'keys.secret.standings.waiting': 'Le plus récent n’a pas encore été utilisé ; ne pas retirer',
  'keys.secret.standings.replaced':
    'Retrait possible : le plus récent est utilisé, et celui-ci {when, select, none {n’a jamais été utilisé} other {a été utilisé en dernier le {when}}}',
  'keys.secret.standings.unused':
    '{everUsed, select, true {Retrait possible : inutilisé depuis {days, plural, one {# jour} other {# jours}}} other {Retrait possible : jamais utilisé depuis sa création il y a {days, plural, one {# jour} other {# jours}}}}',
  'keys.secret.standings.endless':
    'Des jetons sans date d’expiration ont été vus, en dernier le {on}. Renouvelez le secret pour y mettre fin.',
  'keys.secret.action': 'Action',
  'keys.secret.retire': 'Retirer',
  'keys.edit': 'Modifier',
  'keys.rotate': 'Renouveler',
  'keys.remove': 'Supprimer',
  'keys.done.changed': 'La modification est en vigueur.',
  'keys.done.retired': 'Le secret est retiré. Les jetons qu’il a signés ne fonctionnent plus.',
  'keys.done.deleted': 'Le jeu de clés est supprimé. Ses jetons ne fonctionnent plus.',
  'keys.tooMany':
    'Deux secrets sont déjà actifs. Retirez-en un, ou mettez-y fin immédiatement. Si vous n’avez pas vu le nouveau secret, retirez-le.',
  'keyRotate.title': 'Renouveler un jeu de clés',
  'keyRotate.heading': 'Nouveau secret pour {name}',
  'keyRotate.legend': 'Combien de temps le secret utilisé fonctionne-t-il ?',
  'keyRotate.overlaps.hour.words': 'Encore 1 heure',
  'keyRotate.overlaps.hour.hint': 'Pour un programme que vous pouvez modifier maintenant.',
  'keyRotate.overlaps.day.words': 'Encore 1 jour',
  'keyRotate.overlaps.week.words': 'Encore 7 jours',
  'keyRotate.overlaps.month.words': 'Encore 30 jours',
  'keyRotate.overlaps.month.hint': 'Pour des programmes que d’autres personnes doivent modifier.',
  'keyRotate.overlaps.now.words': 'Il cesse immédiatement de fonctionner',
  'keyRotate.overlaps.now.hint':
    'À choisir si le secret a été divulgué. Les programmes qui l’utilisent s’arrêtent.',
  'keyRotate.full':
    'Deux secrets sont actifs. Pour en garder un à côté d’un nouveau, retirez d’abord l’autre.',
  'keyRotate.none': 'Aucun secret n’est actif.',
  'keyRotate.confirm': 'Créer un nouveau secret',
  'keyRotate.back': 'Annuler',
  'keyStop.remove.title': 'Supprimer un jeu de clés',
  'keyStop.remove.heading': 'Supprimer {name} ?',
  'keyStop.remove.atOnce':
    'Les programmes qui l’utilisent cessent immédiatement de fonctionner. Tous ses jetons perdent leur validité.',
  'keyStop.remove.forGood':
    'Cette action est irréversible. Un nouveau jeu de clés a un autre identifiant et un autre secret.',
  'keyStop.remove.confirm': 'Supprimer {name}',
  'keyStop.retire.title': 'Retirer un secret',
  'keyStop.retire.heading': 'Retirer le secret {hint} de {name} ?',
  'keyStop.retire.atOnce':
    'Les programmes qui utilisent encore ce secret cessent immédiatement de fonctionner.',
  'keyStop.retire.only':
    'C’est le seul secret. Les programmes qui utilisent le jeu de clés cessent immédiatement de fonctionner, jusqu’à son renouvellement.',
  'keyStop.retire.confirm': 'Retirer ce secret',
  'keyStop.untrust.title': 'Ne plus faire confiance à une charge de travail',
  'keyStop.untrust.heading': 'Ne plus faire confiance à {workload} ?',
  'keyStop.untrust.atOnce':
    'Elle n’obtient plus de jeton de ce jeu de clés. Ses jetons cessent immédiatement de fonctionner.',
  'keyStop.untrust.confirm': 'Ne plus lui faire confiance',
  'keyWorkloads.title': 'Charges de travail de confiance',
  'keyWorkloads.heading': 'Charges de travail de confiance de {name}',
  'keyWorkloads.lead':
    'Une tâche ou un service qui a un jeton de sa propre plateforme, par exemple une tâche CI, obtient l’accès par ce jeu de clés sans secret.',
  'keyWorkloads.none': 'Aucune charge de travail n’est encore de confiance.',
  'keyWorkloads.issuer': 'Émetteur',
  'keyWorkloads.issuerHint': 'La revendication iss exacte de ses jetons : une adresse https.',
  'keyWorkloads.subject': 'Sujet',
  'keyWorkloads.subjectHint': 'La revendication sub exacte de ses jetons.',
  'keyWorkloads.claims': 'Autres revendications',
  'keyWorkloads.claimsHint':
    'Une par ligne, par exemple repository=acme/nightly. Chaque valeur doit être exactement celle-ci.',
  'keyWorkloads.jwksUri': 'Adresse des clés publiques',
  'keyWorkloads.jwksUriHint': 'Seulement pour un émetteur qui ne publie pas de métadonnées.',
  'keyWorkloads.optional': 'facultatif',
  'keyWorkloads.add': 'Faire confiance à une charge de travail',
  'keyWorkloads.trust': 'Lui faire confiance',
  'keyWorkloads.remove': 'Ne plus faire confiance',
  'keyWorkloads.action': 'Action',
  'keyWorkloads.full':
    'Un jeu de clés fait confiance à {count, number} charges de travail au plus.',
  'keyWorkloads.back': 'Jeux de clés',
  'keyWorkloads.faults.issuer': 'Saisissez l’adresse https de l’émetteur, sans paramètres.',
  'keyWorkloads.faults.ownIssuer':
    'Les jetons de ce serveur sont destinés aux API de données. Ils n’identifient aucune charge de travail.',
  'keyWorkloads.faults.subject': 'Saisissez un sujet ou une revendication.',
  'keyWorkloads.faults.claims':
    'Saisissez chaque revendication sous la forme nom=valeur sur sa propre ligne, 10 au plus.',
  'keyWorkloads.faults.jwksUri':
    'Saisissez l’adresse https des clés. Elle est la même pour toutes les charges de travail d’un émetteur.',
  'keyWorkloads.faults.duplicate': 'Cette charge de travail est déjà de confiance.',
  'keyWorkloads.done.trusted': 'La charge de travail est maintenant de confiance.',
  'keyWorkloads.done.untrusted':
    'La charge de travail n’est plus de confiance. Ses jetons ne fonctionnent plus.',
  'keyForm.kinds': 'Quelle interface le programme utilise-t-il ?',
  'keyForm.kind.current.name': 'Interface actuelle',
  'keyForm.kind.current.hint':
    'Le programme signe ses propres jetons ou les obtient sans secret. À choisir pour les nouveaux programmes.',
  'keyForm.kind.legacy.name': 'Ancienne interface',
  'keyForm.kind.legacy.hint':
    'Le programme envoie le secret avec chaque demande. Pour les programmes qui existent déjà.',
  'keyForm.chosen': 'Choisie',
  'keyForm.createTitle': 'Nouveau jeu de clés',
  'keyForm.changeTitle': 'Modifier un jeu de clés',
  'keyForm.headings.current': 'Nouveau jeu de clés',
  'keyForm.headings.legacy': 'Nouveau jeu de clés pour l’ancienne interface',
  'keyForm.changeHeading': 'Modifier le jeu de clés',
  'keyForm.lead.current':
    'Pour les programmes qui signent leurs propres jetons avec un Client ID et un Client Secret.',
  'keyForm.lead.legacy':
    'Pour les programmes qui envoient un App Secret avec chaque demande, comme secretKey.',
  'keyForm.changeLead':
    'Les modifications s’appliquent aussi aux jetons en cours. Les secrets restent les mêmes.',
  'keyForm.name': 'Nom',
  'keyForm.nameHint': 'Le programme auquel il est destiné, par exemple « Export nocturne ».',
  'keyForm.nameFault': 'Saisissez un nom de 100 caractères au plus.',
  'keyForm.description': 'Description',
  'keyForm.optional': 'facultatif',
  'keyForm.descriptionFault':
    'Saisissez une description de 1 000 caractères au plus, sur une ligne.',
  'keyForm.may': 'Autorisations maximales',
  'keyForm.where': 'Espaces de travail maximaux',
  'keyForm.create': 'Créer',
  'keyForm.save': 'Enregistrer',
  'keyForm.back': 'Annuler',
  'secret.title': 'Nouveau secret',
  'secret.heading': 'Le secret de {name}',
  'secret.once': 'Copiez-le maintenant. Il ne sera plus affiché, même à vous.',
  'secret.lost': 'Si vous le perdez, renouvelez le jeu de clés.',
  'secret.labels.current': 'Client Secret',
  'secret.labels.legacy': 'App Secret',
  'secret.copy': 'Copier',
  'secret.copied': 'Copié.',
  'secret.copyFailed': 'La copie n’a pas fonctionné. Sélectionnez le champ et copiez-le vous-même.',
  'secret.download': 'Télécharger en fichier',
  'secret.downloadHint':
    'Le fichier contient le secret en clair. Gardez-le là où seul le programme peut le lire.',
  'secret.usage.current':
    'Signez un JWT avec ce secret (HS256 ; la clé est le secret exactement tel qu’affiché), avec le Client ID comme émetteur.',
  'secret.usage.legacy': 'Envoyez-le comme variable secretKey, depuis des serveurs seulement.',
  'secret.ends': 'Le secret qui finit par {hint} fonctionne jusqu’au {until}.',
  'secret.done': 'Je l’ai enregistré',
  'secret.goneHeading': 'Ce secret a déjà été affiché',
  'secret.gone':
    'Un secret est affiché une seule fois, à la personne qui l’a créé. Si vous ne l’avez pas enregistré, renouvelez le jeu de clés pour en créer un nouveau.',
  'secret.back': 'Jeux de clés',
}
