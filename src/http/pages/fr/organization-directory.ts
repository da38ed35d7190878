import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationDirectory: Catalogue<typeof areas.organizationDirectory> = {
  'directory.title': 'Applications que vous pouvez installer',
  'directory.heading': 'Applications que vous pouvez installer dans {organization}',
  'directory.lead': 'Choisies par l’opérateur de ce service.',
  'directory.memberLead': 'Choisies par l’opérateur de ce service. Un admin décide pour chacune.',
  'directory.installedApps': 'Applications installées',
  'directory.find': 'Application',
  'directory.findSubmit': 'Chercher',
  'directory.findAll': 'Tout afficher',
  'directory.nothingFoundHeading': 'Aucune application trouvée',
  'directory.nothingFound': 'Aucune application ici n’a « {name} » dans son nom.',
  'directory.emptyHeading': 'Aucune application proposée',
  'directory.empty':
    'L’opérateur n’a encore proposé aucune application. Vous pouvez installer une application depuis celle-ci.',
  'directory.by': 'par {publisher}',
  'directory.site': 'Site web',
  'directory.install': 'Installer',
  'directory.request': 'Demander à un admin',
  'directory.requested': 'Vous l’avez demandée',
  'directory.see': 'Voir votre demande',
  'directory.installed': 'Installée',
  'directory.suspended': 'Suspendue',
}
