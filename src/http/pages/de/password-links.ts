import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.link': 'Passwort vergessen?',
  'forgotten.title': 'Passwort vergessen?',
  'forgotten.heading': 'Passwort vergessen?',
  'forgotten.lead': 'Wir senden einen Link für ein neues Passwort an die Adresse Ihres Kontos.',
  'forgotten.submit': 'Link senden',
  'forgotten.incomplete': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'forgotten.sentTitle': 'E-Mails prüfen',
  'forgotten.sentHeading': 'Prüfen Sie Ihre E-Mails',
  'forgotten.sent': 'Wenn ein Konto mit Passwort die Adresse {email} hat, ist ein Link unterwegs.',
  'forgotten.sentHint':
    'Er gilt einmal, innerhalb von 30 Minuten. Keine E-Mail? Sehen Sie im Spam-Ordner nach.',
  'forgotten.back': 'Anmelden',
  'newPassword.title': 'Neues Passwort',
  'newPassword.heading': 'Neues Passwort wählen',
  'newPassword.consequence': 'Sie werden überall abgemeldet, und alle Apps werden getrennt.',
  'newPassword.invitedTitle': 'Passwort wählen',
  'newPassword.invitedHeading': 'Willkommen, {name}',
  'newPassword.account': 'Für {email}',
  'newPassword.password': 'Neues Passwort',
  'newPassword.submit': 'Passwort speichern',
  'newPassword.doneTitle': 'Passwort gespeichert',
  'newPassword.doneHeading': 'Ihr Passwort ist gespeichert',
  'newPassword.done': 'Melden Sie sich damit an.',
  'newPassword.signIn': 'Anmelden',
  'newPassword.goneTitle': 'Link abgelaufen',
  'newPassword.goneHeading': 'Dieser Link gilt nicht mehr',
  'newPassword.gone':
    'Er wurde verwendet, ist zu alt, oder Ihr Passwort hat sich seither geändert.',
  'newPassword.again': 'Neuen Link anfordern',
}
