import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notifications: Catalogue<typeof areas.notifications> = {
  title: 'Notifications',
  heading: 'Les e-mails que vous recevez',
  lead: 'Nous les envoyons à {email}.',
  legend: 'M’envoyer un e-mail',
  'categories.requests.label': 'Demandes d’applications',
  'categories.requests.hint': 'Un membre demande une application, ou un admin vous répond.',
  'categories.apps.label': 'Applications installées',
  'categories.apps.hint':
    'Une application demande plus d’accès, ou n’a pas été utilisée depuis 90 jours.',
  'categories.secrets.label': 'Secrets qui expirent',
  'categories.secrets.hint': 'Un secret de votre application ou d’un jeu de clés expire bientôt.',
  'categories.operation.label': 'Pannes de vos applications',
  'categories.operation.hint':
    'Un webhook échoue, ou bien plus de demandes que d’habitude sont refusées.',
  always:
    'Les e-mails sur la sécurité de votre compte ou de votre organisation sont toujours envoyés.',
  submit: 'Enregistrer',
  saved: 'Votre choix est enregistré.',
  'unsubscribe.title': 'Moins d’e-mails',
  'unsubscribe.heading': 'Ne plus recevoir d’e-mails de ce type ?',
  'unsubscribe.about': 'Vous ne recevrez plus d’e-mails à ce sujet :',
  'unsubscribe.submit': 'Arrêter ces e-mails',
  'unsubscribe.doneTitle': 'E-mails arrêtés',
  'unsubscribe.doneHeading': 'Vous ne recevez plus d’e-mails de ce type',
  'unsubscribe.doneHint': 'Vous pouvez les réactiver.',
  'unsubscribe.choose': 'Choisir les e-mails que vous recevez',
  'unsubscribe.invalidTitle': 'Lien non valide',
  'unsubscribe.invalidHeading': 'Ce lien n’est pas valide',
  'unsubscribe.invalid': 'Connectez-vous pour choisir les e-mails que vous recevez.',
}
