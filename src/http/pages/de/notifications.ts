import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notifications: Catalogue<typeof areas.notifications> = {
  title: 'Benachrichtigungen',
  heading: 'Welche E-Mails Sie erhalten',
  lead: 'Wir senden sie an {email}.',
  legend: 'E-Mail an mich senden',
  'categories.requests.label': 'Anfragen nach Apps',
  'categories.requests.hint': 'Ein Mitglied fragt nach einer App, oder ein Admin antwortet Ihnen.',
  'categories.apps.label': 'Installierte Apps',
  'categories.apps.hint': 'Eine App verlangt mehr oder wurde 90 Tage nicht verwendet.',
  'categories.secrets.label': 'Ablaufende Secrets',
  'categories.secrets.hint': 'Ein Secret Ihrer App oder eines Schlüsselsatzes läuft bald ab.',
  'categories.operation.label': 'Störungen Ihrer Apps',
  'categories.operation.hint':
    'Ein Webhook schlägt fehl, oder weit mehr Anfragen als üblich werden abgelehnt.',
  always: 'E-Mails zur Sicherheit Ihres Kontos oder Ihrer Organisation werden immer gesendet.',
  submit: 'Speichern',
  saved: 'Ihre Auswahl ist gespeichert.',
  'unsubscribe.title': 'Weniger E-Mails',
  'unsubscribe.heading': 'Keine solchen E-Mails mehr erhalten?',
  'unsubscribe.about': 'Sie erhalten keine E-Mails mehr zu:',
  'unsubscribe.submit': 'Diese E-Mails abbestellen',
  'unsubscribe.doneTitle': 'E-Mails abbestellt',
  'unsubscribe.doneHeading': 'Sie erhalten keine solchen E-Mails mehr',
  'unsubscribe.doneHint': 'Sie können sie wieder aktivieren.',
  'unsubscribe.choose': 'Wählen, welche E-Mails Sie erhalten',
  'unsubscribe.invalidTitle': 'Link nicht gültig',
  'unsubscribe.invalidHeading': 'Dieser Link ist nicht gültig',
  'unsubscribe.invalid': 'Melden Sie sich an, um zu wählen, welche E-Mails Sie erhalten.',
}
