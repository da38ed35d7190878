import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.link': 'Esqueceu sua senha?',
  'forgotten.title': 'Esqueceu sua senha?',
  'forgotten.heading': 'Esqueceu sua senha?',
  'forgotten.lead': 'Enviamos um link para criar uma nova ao endereço da sua conta.',
  'forgotten.submit': 'Enviar o link',
  'forgotten.incomplete': 'Digite seu endereço de e-mail.',
  'forgotten.sentTitle': 'Verifique seu e-mail',
  'forgotten.sentHeading': 'Verifique seu e-mail',
  'forgotten.sent': 'Se uma conta com senha tiver o endereço {email}, um link está a caminho.',
  'forgotten.sentHint':
    'Ele funciona uma vez, em até 30 minutos. Não recebeu? Veja na pasta de spam.',
  'forgotten.back': 'Entrar',
  'newPassword.title': 'Nova senha',
  'newPassword.heading': 'Escolha uma nova senha',
  'newPassword.consequence': 'Você sai de todos os lugares, e todos os apps são desconectados.',
  'newPassword.invitedTitle': 'Escolher uma senha',
  'newPassword.invitedHeading': 'Olá, {name}',
  'newPassword.account': 'Para {email}',
  'newPassword.password': 'Nova senha',
  'newPassword.submit': 'Salvar a senha',
  'newPassword.doneTitle': 'Senha salva',
  'newPassword.doneHeading': 'Sua senha foi salva',
  'newPassword.done': 'Use-a para entrar.',
  'newPassword.signIn': 'Entrar',
  'newPassword.goneTitle': 'Link expirado',
  'newPassword.goneHeading': 'Este link não funciona mais',
  'newPassword.gone': 'Ele já foi usado, é antigo demais, ou sua senha mudou desde então.',
  'newPassword.again': 'Receber outro link',
}
