import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notifications: Catalogue<typeof areas.notifications> = {
  title: 'Notificações',
  heading: 'Quais e-mails você recebe',
  lead: 'Nós os enviamos para {email}.',
  legend: 'Quero receber um e-mail',
  'categories.requests.label': 'Solicitações de apps',
  'categories.requests.hint': 'Um membro pede um app, ou um admin responde a você.',
  'categories.apps.label': 'Apps instalados',
  'categories.apps.hint': 'Um app pede mais ou não foi usado por 90 dias.',
  'categories.secrets.label': 'Segredos que terminam',
  'categories.secrets.hint': 'Um segredo do seu app ou de um conjunto de chaves termina em breve.',
  'categories.operation.label': 'Falhas dos seus apps',
  'categories.operation.hint':
    'Um webhook falha, ou muito mais requisições do que o normal são recusadas.',
  always: 'Os e-mails sobre a segurança da sua conta ou organização são sempre enviados.',
  submit: 'Salvar',
  saved: 'Sua escolha foi salva.',
  'unsubscribe.title': 'Menos e-mails',
  'unsubscribe.heading': 'Não receber mais e-mails como este?',
  'unsubscribe.about': 'Você não receberá mais e-mails sobre:',
  'unsubscribe.submit': 'Parar de receber',
  'unsubscribe.doneTitle': 'E-mails desativados',
  'unsubscribe.doneHeading': 'Você não recebe mais e-mails como este',
  'unsubscribe.doneHint': 'Você pode ativá-los de novo.',
  'unsubscribe.choose': 'Escolher quais e-mails você recebe',
  'unsubscribe.invalidTitle': 'Link inválido',
  'unsubscribe.invalidHeading': 'Este link não é válido',
  'unsubscribe.invalid': 'Entre para escolher quais e-mails você recebe.',
}
