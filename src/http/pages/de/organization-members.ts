import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {
  'members.title': 'Mitglieder',
  'members.heading': 'Mitglieder von {organization}',
  'members.lead':
    'Die Plattform entscheidet, wer hier dazugehört und wer Admin ist. Bitten Sie ihren Betreiber, das zu ändern.',
  'members.find': 'Name oder E-Mail-Adresse',
  'members.role': 'Rolle',
  'members.roles.all': 'Alle',
  'members.roles.admin': 'Admin',
  'members.roles.member': 'Mitglied',
  'members.findSubmit': 'Anzeigen',
  'members.findAll': 'Alle anzeigen',
  'members.name': 'Name',
  'members.workspaces': 'Workspaces',
  'members.noWorkspace': 'Keine',
  'members.more': 'und {count, number} weitere',
  'members.lastSignIn': 'Letzte Anmeldung',
  'members.unknown': 'Nicht bekannt',
  'members.disabled': 'Konto deaktiviert',
  'members.you': 'Sie',
  'members.nothingFound': 'Kein Mitglied passt zu dieser Suche.',
  'members.apps': 'Apps',
  'members.noApp': 'Keine',
  'members.back': 'Alle Mitglieder',
  'members.appsOf': 'Apps, die für {person} handeln',
  'members.noApps': 'Zurzeit handelt keine App für {person}.',
  'members.empty': 'Zu dieser Organisation gehört niemand.',
}
