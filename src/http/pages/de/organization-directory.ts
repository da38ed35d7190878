import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationDirectory: Catalogue<typeof areas.organizationDirectory> = {
  'directory.title': 'Verfügbare Apps',
  'directory.heading': 'Verfügbare Apps für {organization}',
  'directory.lead': 'Vom Betreiber dieses Dienstes ausgewählt.',
  'directory.memberLead':
    'Vom Betreiber dieses Dienstes ausgewählt. Über jede entscheidet ein Admin.',
  'directory.installedApps': 'Installierte Apps',
  'directory.find': 'App',
  'directory.findSubmit': 'Suchen',
  'directory.findAll': 'Alle anzeigen',
  'directory.nothingFoundHeading': 'Keine App gefunden',
  'directory.nothingFound': 'Keine App hier hat „{name}“ im Namen.',
  'directory.emptyHeading': 'Keine App im Verzeichnis',
  'directory.empty':
    'Der Betreiber hat noch keine App aufgenommen. Sie können eine App von der App selbst aus installieren.',
  'directory.by': 'von {publisher}',
  'directory.site': 'Website',
  'directory.install': 'Installieren',
  'directory.request': 'Admin fragen',
  'directory.requested': 'Von Ihnen angefragt',
  'directory.see': 'Anfrage ansehen',
  'directory.installed': 'Installiert',
  'directory.suspended': 'Gesperrt',
}
