import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.link': 'Mot de passe oublié ?',
  'forgotten.title': 'Mot de passe oublié ?',
  'forgotten.heading': 'Mot de passe oublié ?',
  'forgotten.lead': 'Nous envoyons à l’adresse de votre compte un lien pour en choisir un nouveau.',
  'forgotten.submit': 'Envoyer le lien',
  'forgotten.incomplete': 'Saisissez votre adresse e-mail.',
  'forgotten.sentTitle': 'Consultez vos e-mails',
  'forgotten.sentHeading': 'Consultez vos e-mails',
  'forgotten.sent':
    'Si un compte avec mot de passe a l’adresse {email}, un lien vient d’être envoyé.',
  'forgotten.sentHint':
    'Il fonctionne une fois, dans les 30 minutes. Pas d’e-mail ? Regardez dans les courriers indésirables.',
  'forgotten.back': 'Se connecter',
  'newPassword.title': 'Nouveau mot de passe',
  'newPassword.heading': 'Choisissez un nouveau mot de passe',
  'newPassword.consequence':
    'Toutes vos sessions seront fermées et toutes vos applications déconnectées.',
  'newPassword.invitedTitle': 'Choisir un mot de passe',
  'newPassword.invitedHeading': 'Bienvenue, {name}',
  'newPassword.account': 'Pour {email}',
  'newPassword.password': 'Nouveau mot de passe',
  'newPassword.submit': 'Enregistrer le mot de passe',
  'newPassword.doneTitle': 'Mot de passe enregistré',
  'newPassword.doneHeading': 'Votre mot de passe est enregistré',
  'newPassword.done': 'Utilisez-le pour vous connecter.',
  'newPassword.signIn': 'Se connecter',
  'newPassword.goneTitle': 'Lien expiré',
  'newPassword.goneHeading': 'Ce lien ne fonctionne plus',
  'newPassword.gone': 'Il a déjà servi, il est trop ancien, ou votre mot de passe a changé depuis.',
  'newPassword.again': 'Recevoir un autre lien',
}
