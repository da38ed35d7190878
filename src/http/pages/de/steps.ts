import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const steps: Catalogue<typeof areas.steps> = {
  'chooseOrganization.heading': 'Wo möchten Sie {app} verwenden?',
  'chooseOrganization.legend': 'Ihre Organisationen',
  'chooseOrganization.unavailable':
    'Die App hat eine Organisation genannt, die Sie nicht verwenden können. Wählen Sie eine Ihrer Organisationen.',
  'chooseOrganization.roles.admin': 'Sie sind Admin',
  'chooseOrganization.roles.member': 'Sie sind Mitglied',
  'chooseOrganization.installed': 'App installiert',
  'chooseOrganization.notInstalled': 'App noch nicht installiert',
  'chooseOrganization.submit': 'Weiter',
  'chooseOrganization.deny': 'Ablehnen',
  'chooseOrganization.chooseOne': 'Wählen Sie eine Organisation.',
  'chooseOrganization.noneHeading': 'Sie gehören noch zu keiner Organisation',
  'chooseOrganization.none': '{app} arbeitet mit den Daten einer Organisation.',
  'chooseOrganization.noneMove':
    'Bitten Sie einen Admin, dieses Konto hinzuzufügen, oder melden Sie sich mit dem Konto an, das dort bekannt ist.',
  'chooseOrganization.signInAsOther': 'Anderes Konto verwenden',
  'install.heading': '{app} in {organization} installieren?',
  'install.lead': 'Kein Mitglied kann der App mehr erlauben, als Sie jetzt genehmigen.',
  'install.identity':
    '{name, select, true {{email, select, true {Außerdem bittet die App jede Person, die sie zulässt, um ihre Identität mit Name und E-Mail-Adresse.} other {Außerdem bittet die App jede Person, die sie zulässt, um ihre Identität mit Name.}}} other {{email, select, true {Außerdem bittet die App jede Person, die sie zulässt, um ihre Identität mit E-Mail-Adresse.} other {Außerdem bittet die App jede Person, die sie zulässt, um ihre Identität.}}}}',
  'install.approve': 'Installieren',
  'install.deny': 'Abbrechen',
  'installLink.stays': 'Danach sehen Sie die Apps der Organisation.',
  'installLink.back': 'Zurück zum Verzeichnis',
  'installed.heading': '{app} ist in {organization} bereits installiert',
  'installed.since': 'Installiert am {on}. Es ändert sich nichts.',
  'installed.lead': 'Fahren Sie fort, um {app} für diese Organisation einzurichten.',
  'installed.submit': 'Weiter',
  'installed.deny': 'Abbrechen',
  'installed.member':
    'Nur ein Admin kann die App einrichten. Bitten Sie einen Admin, den Link zu öffnen.',
  'askAdmin.heading': 'Admin bitten, {app} in {organization} zu installieren?',
  'askAdmin.who':
    '{admins, select, none {Nur ein Admin der Organisation kann die App installieren.} other {Nur ein Admin kann die App installieren: {admins}.}}',
  'askAdmin.connectHeading': 'Admin bitten, Ihnen {app} in {organization} zu erlauben?',
  'askAdmin.connectWho':
    'In dieser Organisation genehmigt ein Admin jede Person, bevor sie eine App verwendet.',
  'askAdmin.expired':
    'Bis zum {on} hatte kein Admin Ihre Anfrage beantwortet. Sie können noch einmal fragen.',
  'askAdmin.anotherAdmin': 'ein anderer Admin',
  'askAdmin.refused': 'Ihre Anfrage wurde am {on} abgelehnt. Sie können noch einmal fragen.',
  'askAdmin.withdrawn':
    'Sie haben Ihre Anfrage am {on} zurückgezogen. Sie können noch einmal fragen.',
  'askAdmin.reason': 'Wofür brauchen Sie die App?',
  'askAdmin.optional': 'optional',
  'askAdmin.reasonHint': 'Die Admins sehen das zusammen mit Ihrem Namen und Ihrer E-Mail-Adresse.',
  'askAdmin.request': 'Admin fragen',
  'askAdmin.again': 'Noch einmal fragen',
  'requestSent.heading': 'Ihre Anfrage liegt bei den Admins',
  'requestSent.lead': 'Sie haben darum gebeten, {app} in {organization} zu installieren.',
  'requestSent.seen':
    '{admins, select, none {Ein Admin findet sie unter den Apps der Organisation.} other {Sie steht unter den Apps der Organisation, sichtbar für {admins}.}}',
  'requestSent.told':
    '{admins, select, none {Wir haben die Admins benachrichtigt.} other {Benachrichtigt: {admins}.}} Sie erhalten eine E-Mail, sobald entschieden ist.',
  'requestSent.connectLead': 'Sie haben darum gebeten, {app} in {organization} zu verwenden.',
  'requestSent.link': 'Link für einen Admin',
  'requestSent.linkHint': 'Senden Sie ihn einem Admin der Organisation. Er öffnet die Anfrage.',
  'requestSent.tryAgain': 'Noch einmal prüfen',
  'requestSent.asked':
    'Sie haben am {on} gefragt. Wenn Sie die App nicht mehr brauchen, ziehen Sie die Anfrage zurück.',
  'requestSent.withdraw': 'Anfrage zurückziehen',
  'consent.heading': '{app} erlauben, {organization} mit Ihrem Konto zu verwenden?',
  'consent.apis': 'Die App bittet um Zugriff auf {apis}.',
  'consent.ownApi': 'die API dieser Plattform',
  'consent.withheld':
    'Die App bittet auch um dies, was die Admins von {organization} nicht genehmigt haben: {permissions}. Ein Admin kann es unter „Apps“ genehmigen. Beginnen Sie danach in der App neu.',
  'consent.approve': 'Erlauben',
  'consent.deny': 'Ablehnen',
  'backToApp.heading': 'Zurück zur App',
  'backToApp.lead': 'Ihre Antwort ist bereit. Die App erhält sie, sobald Sie fortfahren.',
  'backToApp.submit': 'Weiter',
  'backToApp.close': 'Ihre Antwort ist bereit. Sie können dieses Fenster schließen.',
}
