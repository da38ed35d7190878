import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  title: 'Inspecionar um token',
  heading: 'Tokens de {organization}',
  lead: 'Veja o que é um token, o que ele pode fazer e por que é recusado.',
  'form.heading': 'O que significa este token?',
  'form.label': 'Token',
  'form.hint':
    'Um token de acesso, um refresh token, um código ou um segredo de um conjunto de chaves. Ele não é armazenado, não é registrado em log e não é gasto.',
  'form.submit': 'Explicar',
  'form.empty': 'Cole um token primeiro.',
  'verdict.accepted.access_token': 'Ele é aceito agora.',
  'verdict.accepted.self_signed': 'Ele é aceito agora.',
  'verdict.accepted.secret_key': 'Ele é aceito agora.',
  'verdict.accepted.refresh_token': 'É válido: o app pode trocá-lo uma vez por um token de acesso.',
  'verdict.accepted.code': 'É válido: o app pode trocá-lo uma vez por tokens.',
  'verdict.refused': 'Ele não é aceito.',
  'unknown.heading': 'Este não é um token desta organização',
  'unknown.why':
    'Ele pertence a outra organização, não foi copiado por inteiro ou acabou há tanto tempo que não resta registro.',
  'unknown.move':
    'Copie-o de novo por inteiro, sem aspas. Se ele veio de outra organização, um admin de lá pode inspecioná-lo.',
  'signedOtherwise.heading': 'Não foi assinado com um segredo do conjunto de chaves',
  'signedOtherwise.why':
    'Ele diz vir de {keySet}. Sem uma assinatura válida, nada nele é confiável.',
  'signedOtherwise.move':
    'Assine com HS256 e o texto do segredo, sem decodificá-lo. Não use um segredo revogado há muito tempo.',
  'facts.kind': 'Tipo',
  'facts.hint': 'Termina em',
  'facts.interface': 'Interface',
  'facts.app': 'App',
  'facts.keySet': 'Conjunto de chaves',
  'facts.actors': 'Por meio de',
  'facts.person': 'Para',
  'facts.itself': 'O próprio app, não uma pessoa',
  'facts.organization': 'Organização',
  'facts.may': 'Pode',
  'facts.might': 'Poderia',
  'facts.nothing': 'Nada',
  'facts.issued': 'Emitido em',
  'facts.expires': 'Expira em',
  'facts.unknown': 'desconhecido',
  'facts.withoutEnd': 'sem data própria: acaba com o segredo ou a autorização dele',
  'facts.key': 'Vinculado a uma chave',
  'facts.keyNeeded': 'Só é válido com provas da chave com este thumbprint:',
  'kinds.user': 'Token de acesso de um app, para uma pessoa',
  'kinds.install': 'Token de acesso de um app, para ele mesmo',
  'kinds.refresh_token': 'Refresh token de um app, para uma pessoa',
  'kinds.code': 'Código de autorização de um app, para uma pessoa',
  'kinds.self_signed': 'Token assinado por um programa seu',
  'kinds.secret_key': 'Segredo de um conjunto de chaves',
  'interfaces.current': 'Atual',
  'interfaces.legacy': 'Legada',
  'reasons.actor_disabled.why':
    'O operador deste serviço desativou um app que age por meio deste ou encerrou os tokens dele.',
  'reasons.actor_disabled.move':
    'Fale com o operador. Quando o app for ativado, ele obtém um novo token sozinho.',
  'reasons.actor_suspended.why': 'Um admin suspendeu um app que age por meio deste.',
  'reasons.actor_suspended.move': 'Reative-o em “Apps”. O token volta a ser aceito imediatamente.',
  'reasons.actor_uninstalled.why': 'Um app que age por meio deste foi desinstalado.',
  'reasons.actor_uninstalled.move': 'Instale-o de novo. Ele obtém então um novo token sozinho.',
  'reasons.app_disabled.why':
    'O operador deste serviço desativou o app ou encerrou os tokens dele.',
  'reasons.app_disabled.move':
    'Fale com o operador. Quando o app for ativado, as pessoas precisam permiti-lo de novo.',
  'reasons.code_expired_or_ended.why':
    'O código não foi usado em um minuto, ou a autorização dele acabou.',
  'reasons.code_expired_or_ended.move': 'Comece de novo a partir do app.',
  'reasons.code_reused.why': 'O código já tinha sido usado. Um código funciona uma vez.',
  'reasons.code_reused.move':
    'O app precisa guardar os tokens que recebeu pelo código. Se não recebeu nenhum, desconecte-o e comece de novo.',
  'reasons.disconnected.why':
    'A pessoa desconectou o app, ou um admin encerrou o acesso dele em nome desta pessoa.',
  'reasons.disconnected.move':
    'Se foi um engano, a pessoa pode permitir o app de novo, a partir do app.',
  'reasons.expired.why': 'Ele expirou.',
  'reasons.expired.move':
    'Um app obtém um novo com o refresh token dele. Um programa com um conjunto de chaves assina um novo.',
  'reasons.expiry_malformed.why': 'O horário de expiração (exp) não pode ser lido.',
  'reasons.expiry_malformed.move':
    'Escreva-o em segundos inteiros desde 1970, não como texto nem em milissegundos.',
  'reasons.family_ended.why': 'A autorização à qual ele pertence acabou.',
  'reasons.family_ended.move': 'A pessoa precisa permitir o app de novo, a partir do app.',
  'reasons.grant_ended.why': 'A autorização à qual ele pertence acabou.',
  'reasons.grant_ended.move': 'A pessoa precisa permitir o app de novo, a partir do app.',
  'reasons.grant_unknown.why': 'A autorização de que ele veio não existe mais.',
  'reasons.grant_unknown.move': 'A pessoa precisa permitir o app de novo, a partir do app.',
  'reasons.id_token.why': 'É um ID token: informa a um app quem entrou, mas não dá acesso.',
  'reasons.id_token.move': 'Envie o token de acesso que veio com ele.',
  'reasons.install_suspended.why': 'Um admin suspendeu o app aqui.',
  'reasons.install_suspended.move':
    'Reative-o em “Apps”. O token volta a ser aceito imediatamente.',
  'reasons.install_unknown.why': 'A instalação de que ele veio não existe mais.',
  'reasons.install_unknown.move': 'Instale o app de novo, a partir do app.',
  'reasons.issued_at_malformed.why':
    'O horário de emissão (iat) está faltando ou não pode ser lido.',
  'reasons.issued_at_malformed.move':
    'Escreva-o em segundos inteiros desde 1970, não como texto nem em milissegundos.',
  'reasons.issued_in_the_future.why': 'O horário de emissão (iat) está no futuro.',
  'reasons.issued_in_the_future.move': 'Corrija o relógio do programa que assina.',
  'reasons.issuer_malformed.why': 'O emissor (iss) está faltando ou não pode ser lido.',
  'reasons.issuer_malformed.move': 'Defina iss como o Client ID do conjunto de chaves.',
  'reasons.key_set_unknown.why': 'Nenhum conjunto de chaves tem o Client ID que está em iss.',
  'reasons.key_set_unknown.move':
    'Defina iss como o Client ID de um conjunto de chaves da interface atual, exatamente como exibido.',
  'reasons.moved.why': 'O app o trocou por uma autorização da versão atual dele.',
  'reasons.moved.move':
    'O app precisa usar o token que recebeu na troca. Enviar este de novo encerra toda a autorização.',
  'reasons.not_yet_valid.why': 'Ainda não é válido (nbf).',
  'reasons.not_yet_valid.move': 'Aguarde ou omita nbf. Corrija o relógio do programa que assina.',
  'reasons.other_audience.why': 'É para outra API (aud).',
  'reasons.other_audience.move': 'Use-o lá. Em um token próprio, omita aud.',
  'reasons.other_issuer.why': 'Foi emitido sob outro endereço deste serviço.',
  'reasons.other_issuer.move': 'Faça o app obter um novo aqui.',
  'reasons.password_changed.why':
    'A pessoa alterou a senha, o que encerra as autorizações anteriores.',
  'reasons.password_changed.move': 'A pessoa precisa permitir o app de novo, a partir do app.',
  'reasons.permissions_malformed.why': 'As permissões dele não são uma lista de nomes.',
  'reasons.permissions_malformed.move':
    'Escreva-as como uma lista ou omita-as para somente leitura.',
  'reasons.refresh_token_reused.why':
    'O refresh token já tinha sido usado. Cada um funciona uma vez.',
  'reasons.refresh_token_reused.move':
    'O app precisa usar o mais novo que recebeu. Enviar este de novo encerra toda a autorização.',
  'reasons.reuse_detected.why':
    'Um código ou refresh token desta autorização foi usado duas vezes. Ele pode ter sido roubado, então toda a autorização foi encerrada.',
  'reasons.reuse_detected.move':
    'Descubra se o app envia um refresh token duas vezes ou se um foi roubado. Depois a pessoa permite o app de novo.',
  'reasons.revoked.why': 'O app revogou a autorização dele.',
  'reasons.revoked.move': 'A pessoa precisa permitir o app de novo, a partir do app.',
  'reasons.secret_of_current_key_set.why':
    'Este é o próprio Client Secret. Ele assina tokens e nunca é enviado.',
  'reasons.secret_of_current_key_set.move':
    'Assine um JWT com ele e envie o JWT. Se o segredo foi enviado a alguém, rotacione o conjunto de chaves.',
  'reasons.secret_retired.why': 'O segredo por trás dele foi revogado.',
  'reasons.secret_retired.move':
    'Faça o programa usar o segredo ativo. Rotacione o conjunto de chaves se esse segredo se perdeu.',
  'reasons.secret_unknown.why': 'Nenhum conjunto de chaves tem este segredo.',
  'reasons.secret_unknown.move':
    'Ele foi revogado há muito tempo, pertence a outra organização ou não foi copiado por inteiro.',
  'reasons.signature_invalid.why':
    'A assinatura está errada: o token foi alterado ou assinado com outro segredo.',
  'reasons.signature_invalid.move':
    'Assine com HS256 e o texto do segredo, sem decodificá-lo. Não use um segredo revogado há muito tempo.',
  'reasons.superseded.why':
    'O app tem muitas autorizações mais novas desta pessoa. As mais antigas são encerradas.',
  'reasons.superseded.move':
    'O app precisa guardar e renovar os tokens em vez de pedir de novo a cada vez.',
  'reasons.token_revoked.why': 'O app revogou este token.',
  'reasons.token_revoked.move': 'O app pode obter outro.',
  'reasons.uninstalled.why': 'O app foi desinstalado aqui.',
  'reasons.uninstalled.move':
    'Para usá-lo de novo, um admin precisa instalá-lo e todos precisam permiti-lo de novo.',
  'reasons.unreadable.why': 'Este serviço não pode tê-lo emitido.',
  'reasons.unreadable.move': 'Copie-o de novo por inteiro, sem aspas.',
  'reasons.user_disabled.why': 'A conta da pessoa foi desativada.',
  'reasons.user_disabled.move': 'Só o operador pode ativá-la de novo.',
  'reasons.user_left.why': 'A pessoa não é mais membro da organização.',
  'reasons.user_left.move': 'Adicione a pessoa de novo. Depois ela precisa permitir o app de novo.',
  'reasons.workspace_ids_malformed.why':
    'Os espaços de trabalho dele (workspace_ids) não são uma lista de IDs.',
  'reasons.workspace_ids_malformed.move': 'Escreva-os como uma lista ou omita-os para todos.',
  'simulation.heading': 'O que um app receberia?',
  'simulation.lead': 'Nenhum token é emitido, e ninguém é consultado.',
  'simulation.app': 'App',
  'simulation.chooseApp': 'Escolha um app',
  'simulation.person': 'Para',
  'simulation.itself': 'O próprio app, não uma pessoa',
  'simulation.submit': 'Mostrar',
  'simulation.missing': 'Escolha um app e um membro da organização.',
  'simulation.none': 'Nenhum app foi instalado aqui até hoje.',
  'simulation.result':
    '{person, select, none {O que {app} receberia para si mesmo} other {O que {app} receberia em nome de {person}}}',
  'simulation.granted': 'Receberia um token.',
  'simulation.refused': 'Não receberia um token.',
  'simulation.asksAgain':
    'O app pede mais do que a pessoa viu, então ela será consultada de novo na próxima vez.',
  'simulation.permissions': 'Permissões',
  'simulation.workspaces': 'Espaços de trabalho',
  'simulation.noWorkspace': 'Não há espaços de trabalho.',
  'simulation.permission': 'Permissão',
  'simulation.workspace': 'Espaço de trabalho',
  'simulation.because': 'Porque',
  'simulation.yes': 'sim',
  'simulation.no': 'não',
  'simulation.given': 'No token',
  'simulation.obstacles.app_disabled': 'O operador deste serviço desativou o app.',
  'simulation.obstacles.legacy_interface': 'Apps da interface legada nunca agem por si mesmos.',
  'simulation.obstacles.public_client':
    'Um app que funciona nos dispositivos das pessoas nunca age por si mesmo.',
  'simulation.obstacles.user_disabled': 'A conta da pessoa foi desativada.',
  'simulation.obstacles.user_left': 'A pessoa não é membro da organização.',
  'simulation.obstacles.not_installed': 'O app não está instalado aqui.',
  'simulation.obstacles.install_suspended': 'Um admin suspendeu o app aqui.',
  'simulation.obstacles.consent_missing': 'A pessoa ainda não permitiu o app e seria consultada.',
  'simulation.obstacles.malformed':
    'O escopo ou os espaços de trabalho solicitados não podem ser lidos.',
  'simulation.obstacles.openid_missing': 'O app pede um nome ou um endereço de e-mail sem openid.',
  'simulation.obstacles.openid_not_allowed':
    'O app pede a identidade da pessoa, mas não está registrado para isso.',
  'simulation.obstacles.openid_not_approved':
    'O app pede mais dados pessoais do que a pessoa permitiu.',
  'simulation.obstacles.unknown_permission': 'O app pede uma permissão que não existe.',
  'simulation.obstacles.permission_not_approved': 'O app pede uma permissão que não foi aprovada.',
  'simulation.obstacles.workspace_not_approved':
    'O app pede um espaço de trabalho que não foi aprovado.',
  'simulation.causes.granted': 'aprovação concedida',
  'simulation.causes.not_asked_by_app': 'o app nunca pede isso',
  'simulation.causes.not_installed': 'o app não está instalado aqui',
  'simulation.causes.not_approved_by_admin': 'nenhum admin aprovou isso',
  'simulation.causes.consent_missing': 'a pessoa ainda não foi consultada',
  'simulation.causes.withheld_by_user': 'a pessoa não permitiu isso',
  'simulation.causes.left_out_by_request': 'a solicitação omite isso',
  'simulation.causes.not_a_member': 'a pessoa não está neste espaço de trabalho',
}
