import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  deletedApp: 'um app excluído',
  deletedOrganization: 'uma organização excluída',
  deletedKeySet: 'um conjunto de chaves excluído',
  'facts.time': 'Horário',
  'facts.device': 'Dispositivo',
  'facts.unknownDevice': 'Desconhecido',
  'facts.address': 'Endereço IP',
  'facts.ends': 'Término',
  'requested.subject':
    '{organization}: {person, select, none {um membro} other {{person}}} pede {app}',
  'requested.lead':
    '{person, select, none {Um membro de {organization} pede para usar {app}.} other {{person} pede para usar {app} em {organization}.}}',
  'requested.action': 'Decidir',
  'waiting.subject':
    '{organization}: {person, select, none {um membro} other {{person}}} ainda aguarda {app}',
  'waiting.lead':
    '{person, select, none {Um membro de {organization}} other {{person}}} pediu {app} há três dias e ainda não teve resposta.',
  'waiting.action': 'Decidir',
  'approved.subject': 'Sua solicitação de {app} em {organization} foi aprovada',
  'approved.lead': 'Um admin de {organization} aprovou sua solicitação. Você já pode usar {app}.',
  'approved.action': 'Seus apps conectados',
  'refused.subject': 'Sua solicitação de {app} em {organization} foi recusada',
  'refused.lead': 'Um admin de {organization} recusou sua solicitação de {app}.',
  'refused.action': 'Seus apps conectados',
  'unanswered.subject': 'Sem resposta à sua solicitação de {app} em {organization}',
  'unanswered.lead':
    'Os admins de {organization} não responderam a tempo à sua solicitação de {app}. Você pode pedir de novo a partir do app.',
  'unanswered.action': 'Seus apps conectados',
  'asksForMore.subject': '{app} pede mais em {organization}',
  'asksForMore.lead':
    '{app} pede permissões que não tem em {organization}. Ele não recebe nenhuma delas até você decidir.',
  'asksForMore.action': 'Decidir',
  'unused.subject': '{app} está sem uso há 90 dias em {organization}',
  'unused.lead': 'Se {organization} não precisa mais de {app}, desinstale-o.',
  'unused.action': 'Ver o app',
  'secretEnds.subject': 'Um segredo de {app} termina em {day}',
  'secretEnds.lead':
    'A partir de {day}, as requisições com este segredo falham. Verifique se todos os servidores de {app} usam um mais novo.',
  'secretEnds.action': 'Ver os segredos',
  'keyEnds.subject': '{organization}: um segredo de {keySet} termina em {day}',
  'keyEnds.lead':
    'A partir de {day}, as requisições com este segredo falham. Verifique se todos os programas com {keySet} usam um mais novo.',
  'keyEnds.action': 'Ver os conjuntos de chaves',
  'webhookOff.subject': 'Um webhook de {app} foi desativado',
  'webhookOff.lead':
    'O endpoint dele não existe mais ou não aceitou mensagens por dias. Ele não recebe mais eventos de {app} até ser ativado de novo.',
  'webhookOff.action': 'Ver o app',
  'webhookFailed.subject': 'Mensagens de webhook de {app} não foram entregues',
  'webhookFailed.lead': 'Um endpoint de {app} não as aceitou por dias. Elas não serão reenviadas.',
  'webhookFailed.action': 'Ver o app',
  'refusals.subject': 'Muito mais requisições de {app} são recusadas',
  'refusals.lead':
    'Recusadas hoje: {count}. Em um dia comum, bem menos requisições de {app} são recusadas.',
  'refusals.action': 'Ver o app',
  'reuse.subject': 'Um token de {app} foi usado duas vezes em {organization}',
  'reuse.lead':
    'Uma cópia de um token pode estar em mãos erradas, então encerramos esta conexão de {app}. A pessoa que o usa pode conectar o app de novo.',
  'reuse.action': 'Ver a atividade',
  'connected.subject': '{app} agora pode agir em seu nome',
  'connected.lead':
    'Você conectou {app} em {organization}. Se não foi você, desconecte-o e altere sua senha.',
  'connected.action': 'Seus apps conectados',
  'disconnected.subject': '{app} não pode mais agir em seu nome',
  'disconnected.lead': 'Um admin de {organization} desconectou {app}.',
  'disconnected.action': 'Seus apps conectados',
  'passkey.subject': 'Uma chave de acesso foi adicionada à sua conta',
  'passkey.lead': 'Se não foi você, remova a chave de acesso e altere sua senha.',
  'passkey.action': 'Suas chaves de acesso',
  'passwordChanged.subject': 'Sua senha foi alterada',
  'passwordChanged.lead':
    'Suas sessões e seus apps conectados anteriores foram encerrados. Se não foi você, defina uma nova senha imediatamente.',
  'passwordChanged.action': 'Definir uma nova senha',
  'newPlace.subject': 'Novo login na sua conta',
  'newPlace.lead':
    'Sua conta foi usada em um novo dispositivo ou em uma nova rede. Se foi você, não há nada a fazer. Se não, encerre a sessão e altere sua senha.',
  'newPlace.action': 'Suas sessões',
  'forgotten.subject': 'Defina uma nova senha',
  'forgotten.lead':
    'O link funciona uma vez, até {time}. Se você não o pediu, ignore este e-mail: sua senha continua a mesma.',
  'forgotten.action': 'Definir uma nova senha',
  'invited.subject': 'Sua conta em {brand}',
  'invited.lead':
    'Agora você tem uma conta em {brand}. Defina uma senha para entrar. O link funciona uma vez, até {time}.',
  'invited.action': 'Definir uma senha',
  'digest.subject': 'Novidades sobre seus apps',
  'digest.lead': 'Reunimos aqui os e-mails que chegariam ao mesmo tempo:',
  'digest.action': 'Início',
  'why.security':
    'Este e-mail é sobre a segurança da sua conta ou organização. Ele não pode ser desativado.',
  'why.account': 'O link expirou? A página de login ou um administrador pode enviar outro.',
  'why.other': 'Você recebe este e-mail por causa do seu papel em uma organização ou em um app.',
  choose: 'Escolher quais e-mails você recebe',
  unsubscribe: 'Não receber mais e-mails como este',
}
