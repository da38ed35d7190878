import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const errors: Catalogue<typeof areas.errors> = {
  'error.reference': 'Referência',
  'error.forDevelopers': 'Para o desenvolvedor do app',
  'error.code': 'Erro',
  'error.description': 'Descrição',
  'error.explained': 'O que cada erro significa',
  'error.home': 'Início',
  'error.signIn': 'Entrar',
  'error.tryAgain': 'Tentar de novo',
  'error.loadAgain': 'Recarregar a página',
  'error.request.heading': 'Este app enviou uma solicitação inválida',
  'error.request.message': 'O link do app está incompleto ou errado, então nada foi compartilhado.',
  'error.request.move':
    'Só o desenvolvedor do app pode corrigi-lo. Informe a ele a referência abaixo.',
  'error.unknownApp.heading': 'Este app é desconhecido aqui',
  'error.unknownApp.message':
    'O ID do app na solicitação não está registrado, então nada foi compartilhado.',
  'error.unknownApp.move': 'Volte ao app e avise o desenvolvedor, com a referência abaixo.',
  'error.unreviewedApp.heading': 'Este app não foi revisado aqui',
  'error.unreviewedApp.message':
    'O app não está registrado neste serviço, então nada foi compartilhado.',
  'error.unreviewedApp.move':
    'Peça a um admin da sua organização ou ao operador deste serviço que permita o app. Informe a referência abaixo.',
  'error.waitingApp.heading': 'Este app aguarda uma revisão',
  'error.waitingApp.message':
    'O operador deste serviço precisa revisar o app primeiro. Nada foi compartilhado.',
  'error.waitingApp.move':
    'Tente de novo mais tarde. Se for urgente, fale com o operador deste serviço, com a referência abaixo.',
  'error.unreadableApp.heading': 'Não foi possível ler a descrição deste app',
  'error.unreadableApp.message':
    'O que o app publica sobre si mesmo está faltando ou viola uma regra, então nada foi compartilhado.',
  'error.unreadableApp.move':
    'Tente de novo mais tarde. Se acontecer de novo, avise o desenvolvedor do app, com a referência abaixo.',
  'error.redirectUri.heading': 'Este app quer enviar você para um endereço não registrado',
  'error.redirectUri.message': 'Paramos aqui para proteger sua conta. Nada foi compartilhado.',
  'error.redirectUri.move':
    'O desenvolvedor do app precisa registrar o endereço ou corrigir o link.',
  'error.redirectUriOnDevice.heading': 'Este programa volta para um endereço não registrado',
  'error.redirectUriOnDevice.message':
    'Um programa neste computador pede acesso, mas o endereço dele não está registrado. Nada foi compartilhado.',
  'error.redirectUriOnDevice.move':
    'Peça ao operador que o registre para este app: http://localhost ou http://127.0.0.1, como o programa o escreve, com o mesmo caminho. Um app sem segredo pode então usar qualquer porta.',
  'error.installLink.heading': 'Este link de instalação está incompleto',
  'error.installLink.message': 'Nada foi instalado nem compartilhado.',
  'error.installLink.move':
    'Volte ao app e comece de novo. Se acontecer duas vezes, envie ao desenvolvedor a referência abaixo.',
  'error.installLinkPermissions.heading': 'Este link de instalação pede permissões desconhecidas',
  'error.installLinkPermissions.message':
    'O app não está registrado para uma permissão do link. Nada foi instalado.',
  'error.installLinkPermissions.move': 'Avise o desenvolvedor do app, com a referência abaixo.',
  'error.otherOrganization': 'Escolher outra organização',
  'error.suspended.heading': 'Este app está suspenso aqui',
  'error.suspended.message':
    'Um admin da organização suspendeu o app, então ele não tem acesso agora.',
  'error.suspended.move': 'Fale com um admin da organização.',
  'error.appsClosed.heading': 'Este app não está instalado',
  'error.appsClosed.message': 'Os membros desta organização só podem conectar apps instalados.',
  'error.appsClosed.move': 'Um admin da organização pode instalar o app.',
  'error.outOfReach.heading': 'Você não pode dar a este app o que ele pede',
  'error.outOfReach.message':
    'Ele pede um espaço de trabalho do qual você não é membro ou que não está aprovado para ele, ou uma API que não existe para esta organização. Nada foi compartilhado, e o código continua válido.',
  'error.outOfReach.move': 'Uma pessoa com esse acesso pode digitar o código. Ou use outra conta.',
  'error.expired.heading': 'Isto demorou demais',
  'error.expired.message': 'A solicitação do app expirou ou já foi respondida.',
  'error.expired.move': 'Volte ao app e comece de novo a partir dele.',
  'error.answered.heading': 'Você já respondeu a isto',
  'error.answered.message': 'Vale sua primeira resposta. Nada mudou.',
  'error.answered.move': 'Se você não voltou para o app, continue aqui.',
  'error.answered.goOn': 'Continuar',
  'error.form.heading': 'Este formulário não pôde ser aceito',
  'error.form.message':
    'Sua sessão acabou ou mudou desde que a página foi carregada, ou o formulário foi enviado de outro site. Nada mudou.',
  'error.form.move': 'Recarregue a página e repita a etapa.',
  'error.notFound.heading': 'Página não encontrada',
  'error.notFound.message': 'A página não existe, ou você não pode vê-la.',
  'error.notFound.move': 'Confira o endereço ou use outra conta.',
  'error.wrongMethod.heading': 'Esta página não aceita a requisição',
  'error.wrongMethod.message':
    'A página existe, mas não aceita este tipo de requisição. Nada mudou.',
  'error.wrongMethod.move': 'Abra a página a partir do link ou do formulário dela.',
  'error.noDocument.heading': 'Página não encontrada',
  'error.noDocument.message': 'A documentação não tem página neste endereço.',
  'error.noDocument.move':
    'Ela pode ter um novo nome. A primeira página tem links para todas as outras.',
  'error.noDocument.start': 'Documentação',
  'error.tooMany.heading': 'Tentativas demais',
  'error.tooMany.message': 'Você enviou requisições demais em pouco tempo. Nada mudou.',
  'error.tooMany.move': 'Tente de novo em {minutes, plural, one {# minuto} other {# minutos}}.',
  'error.tooManyHere.heading': 'Solicitações demais da sua rede',
  'error.tooManyHere.message': 'Há solicitações de acesso demais da sua rede aguardando resposta.',
  'error.tooManyHere.move':
    'Entre primeiro e comece de novo a partir do app, para que só contem suas próprias solicitações. Ou aguarde {minutes, plural, one {# minuto} other {# minutos}}.',
  'error.unavailable.heading': 'Não podemos responder no momento',
  'error.unavailable.message': 'Uma parte deste serviço está indisponível. Nada mudou.',
  'error.unavailable.move': 'Nós precisamos corrigir isto. Tente de novo em um minuto.',
  'error.server.heading': 'Algo deu errado do nosso lado',
  'error.server.message': 'A etapa não foi concluída.',
  'error.server.move': 'Tente de novo. Se acontecer duas vezes, envie-nos a referência abaixo.',
}
