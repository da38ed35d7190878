import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationKeys: Catalogue<typeof areas.organizationKeys> = {
  'keys.title': 'Conjuntos de chaves',
  'keys.heading': 'Conjuntos de chaves de {organization}',
  'keys.lead':
    'Com um conjunto de chaves, seus próprios programas podem usar os dados da organização sem que uma pessoa precise entrar.',
  'keys.create': 'Novo conjunto de chaves',
  'keys.emptyHeading': 'Ainda não há conjuntos de chaves',
  'keys.empty': 'Crie um para cada programa, para poder excluir um sem afetar os outros.',
  'keys.interfaces.current': 'Interface atual',
  'keys.interfaces.legacy': 'Interface legada',
  'keys.ids.current': 'Client ID',
  'keys.ids.legacy': 'App ID',
  'keys.by': 'Criado por',
  'keys.workloads': 'Cargas de trabalho confiáveis (não precisam de segredo)',
  'keys.created': 'Criado em',
  'keys.operator': 'O operador deste serviço',
  'keys.secrets': 'Segredos',
  'keys.noSecret':
    'Nenhum segredo está ativo, então nenhum programa pode usar este conjunto de chaves até que você o rotacione.',
  'keys.noSecretNeeded':
    'Nenhum segredo está ativo. Só as cargas de trabalho confiáveis recebem tokens deste conjunto de chaves.',
  'keys.secret.hint': 'Termina em',
  'keys.secret.created': 'Criado em',
  'keys.secret.lastUsed': 'Último uso',
  'keys.secret.until': 'Funciona até',
  'keys.secret.open': 'Você revogá-lo',
  'keys.secret.standing': 'Estado',
  'keys.secret.standings.only': 'Ativo',
  'keys.secret.standings.newest': 'O mais novo; mantenha este',
  'keys.secret.standings.inUse': 'Ainda em uso, último uso em {when}; não é seguro revogar',
  'keys.secret.standings.resting':
    'Último uso em {when}, antes da criação do mais novo; é seguro revogar depois que todos os programas que o usavam rodarem de novo',
  'keys.secret.standings.waiting': 'O mais novo ainda não foi usado; não é seguro revogar',
  'keys.secret.standings.replaced':
    'É seguro revogar: o mais novo está em uso, e este {when, select, none {nunca foi usado} other {teve o último uso em {when}}}',
  'keys.secret.standings.unused':
    '{everUsed, select, true {É seguro revogar: sem uso há {days, plural, one {# dia} other {# dias}}} other {É seguro revogar: nunca usado desde a criação, há {days, plural, one {# dia} other {# dias}}}}',
  'keys.secret.standings.endless':
    'Foram vistos tokens sem data de expiração, o último em {on}. Rotacione o segredo para encerrá-los.',
  'keys.secret.action': 'Ação',
  'keys.secret.retire': 'Revogar',
  'keys.edit': 'Editar',
  'keys.rotate': 'Rotacionar',
  'keys.remove': 'Excluir',
  'keys.done.changed': 'A alteração está em vigor.',
  'keys.done.retired': 'O segredo foi revogado. Os tokens assinados com ele não funcionam mais.',
  'keys.done.deleted': 'O conjunto de chaves foi excluído. Os tokens dele deixaram de funcionar.',
  'keys.tooMany':
    'Dois segredos já estão ativos. Revogue um deles ou deixe que eles acabem imediatamente. Se você não viu o novo segredo, revogue-o.',
  'keyRotate.title': 'Rotacionar um conjunto de chaves',
  'keyRotate.heading': 'Novo segredo para {name}',
  'keyRotate.legend': 'Por quanto tempo o segredo em uso funciona?',
  'keyRotate.overlaps.hour.words': 'Mais 1 hora',
  'keyRotate.overlaps.hour.hint': 'Para um programa que você pode alterar agora.',
  'keyRotate.overlaps.day.words': 'Mais 1 dia',
  'keyRotate.overlaps.week.words': 'Mais 7 dias',
  'keyRotate.overlaps.month.words': 'Mais 30 dias',
  'keyRotate.overlaps.month.hint': 'Para programas que outras pessoas precisam alterar.',
  'keyRotate.overlaps.now.words': 'Acaba imediatamente',
  'keyRotate.overlaps.now.hint':
    'Escolha esta opção se o segredo vazou. Os programas que o usam param.',
  'keyRotate.full':
    'Dois segredos estão ativos. Para manter um deles junto com um novo, revogue o outro primeiro.',
  'keyRotate.none': 'Nenhum segredo está ativo agora.',
  'keyRotate.confirm': 'Criar um novo segredo',
  'keyRotate.back': 'Cancelar',
  'keyStop.remove.title': 'Excluir um conjunto de chaves',
  'keyStop.remove.heading': 'Excluir {name}?',
  'keyStop.remove.atOnce':
    'Os programas que o usam deixam de funcionar imediatamente. Todos os tokens dele se tornam inválidos.',
  'keyStop.remove.forGood':
    'Isto não pode ser desfeito. Um novo conjunto de chaves tem outro ID e outro segredo.',
  'keyStop.remove.confirm': 'Excluir {name}',
  'keyStop.retire.title': 'Revogar um segredo',
  'keyStop.retire.heading': 'Revogar o segredo {hint} de {name}?',
  'keyStop.retire.atOnce':
    'Os programas que ainda usam este segredo deixam de funcionar imediatamente.',
  'keyStop.retire.only':
    'É o único segredo. Os programas que usam o conjunto de chaves deixam de funcionar imediatamente, até que você o rotacione.',
  'keyStop.retire.confirm': 'Revogar este segredo',
  'keyStop.untrust.title': 'Deixar de confiar em uma carga de trabalho',
  'keyStop.untrust.heading': 'Deixar de confiar em {workload}?',
  'keyStop.untrust.atOnce':
    'Ela não recebe mais tokens deste conjunto de chaves. Os tokens que ela tem deixam de funcionar imediatamente.',
  'keyStop.untrust.confirm': 'Deixar de confiar',
  'keyWorkloads.title': 'Cargas de trabalho confiáveis',
  'keyWorkloads.heading': 'Cargas de trabalho confiáveis de {name}',
  'keyWorkloads.lead':
    'Um job ou serviço que tem um token da própria plataforma, como um job de CI, obtém acesso com este conjunto de chaves sem segredo.',
  'keyWorkloads.none': 'Nenhuma carga de trabalho é confiável ainda.',
  'keyWorkloads.issuer': 'Emissor',
  'keyWorkloads.issuerHint': 'O claim iss exato dos tokens dela: um endereço https.',
  'keyWorkloads.subject': 'Sujeito',
  'keyWorkloads.subjectHint': 'O claim sub exato dos tokens dela.',
  'keyWorkloads.claims': 'Outros claims',
  'keyWorkloads.claimsHint':
    'Um por linha, como repository=acme/nightly. Cada valor precisa ser exatamente este.',
  'keyWorkloads.jwksUri': 'Endereço das chaves públicas',
  'keyWorkloads.jwksUriHint': 'Somente para um emissor que não publica metadados.',
  'keyWorkloads.optional': 'opcional',
  'keyWorkloads.add': 'Confiar em uma carga de trabalho',
  'keyWorkloads.trust': 'Confiar',
  'keyWorkloads.remove': 'Deixar de confiar',
  'keyWorkloads.action': 'Ação',
  'keyWorkloads.full':
    'Um conjunto de chaves confia em no máximo {count, number} cargas de trabalho.',
  'keyWorkloads.back': 'Conjuntos de chaves',
  'keyWorkloads.faults.issuer': 'Digite o endereço https do emissor, sem parâmetros de consulta.',
  'keyWorkloads.faults.ownIssuer':
    'Os tokens deste servidor são para APIs de dados. Eles não podem representar uma carga de trabalho.',
  'keyWorkloads.faults.subject': 'Digite um sujeito ou um claim.',
  'keyWorkloads.faults.claims':
    'Digite cada claim como nome=valor em uma linha própria, no máximo 10.',
  'keyWorkloads.faults.jwksUri':
    'Digite o endereço https das chaves. Ele é o mesmo para todas as cargas de trabalho de um emissor.',
  'keyWorkloads.faults.duplicate': 'Esta carga de trabalho já é confiável.',
  'keyWorkloads.done.trusted': 'A carga de trabalho agora é confiável.',
  'keyWorkloads.done.untrusted':
    'A carga de trabalho não é mais confiável. Os tokens dela deixaram de funcionar.',
  'keyForm.kinds': 'Qual interface o programa usa?',
  'keyForm.kind.current.name': 'Interface atual',
  'keyForm.kind.current.hint':
    'O programa assina os próprios tokens ou os obtém sem segredo. Escolha esta para programas novos.',
  'keyForm.kind.legacy.name': 'Interface legada',
  'keyForm.kind.legacy.hint':
    'O programa envia o segredo em cada requisição. Para programas que já existem.',
  'keyForm.chosen': 'Escolhida',
  'keyForm.createTitle': 'Novo conjunto de chaves',
  'keyForm.changeTitle': 'Editar um conjunto de chaves',
  'keyForm.headings.current': 'Novo conjunto de chaves',
  'keyForm.headings.legacy': 'Novo conjunto de chaves para a interface legada',
  'keyForm.changeHeading': 'Editar o conjunto de chaves',
  'keyForm.lead.current':
    'Para programas que assinam os próprios tokens com um Client ID e um Client Secret.',
  'keyForm.lead.legacy':
    'Para programas que enviam um App Secret em cada requisição, como secretKey.',
  'keyForm.changeLead':
    'As alterações também valem para tokens em uso. Os segredos continuam os mesmos.',
  'keyForm.name': 'Nome',
  'keyForm.nameHint': 'Para qual programa é, como “Exportação noturna”.',
  'keyForm.nameFault': 'Digite um nome de até 100 caracteres.',
  'keyForm.description': 'Descrição',
  'keyForm.optional': 'opcional',
  'keyForm.descriptionFault': 'Digite uma descrição de até 1000 caracteres em uma linha.',
  'keyForm.may': 'Permissões máximas',
  'keyForm.where': 'Espaços de trabalho máximos',
  'keyForm.create': 'Criar',
  'keyForm.save': 'Salvar',
  'keyForm.back': 'Cancelar',
  'secret.title': 'Novo segredo',
  'secret.heading': 'O segredo de {name}',
  'secret.once': 'Copie-o agora. Ele não será exibido de novo, nem mesmo para você.',
  'secret.lost': 'Se você o perder, rotacione o conjunto de chaves.',
  'secret.labels.current': 'Client Secret',
  'secret.labels.legacy': 'App Secret',
  'secret.copy': 'Copiar',
  'secret.copied': 'Copiado.',
  'secret.copyFailed': 'Não foi possível copiar. Selecione o campo e copie manualmente.',
  'secret.download': 'Baixar como arquivo',
  'secret.downloadHint':
    'O arquivo contém o segredo em texto simples. Guarde-o onde só o programa possa lê-lo.',
  'secret.usage.current':
    'Assine um JWT com ele (HS256; a chave é o segredo exatamente como exibido), com o Client ID como emissor.',
  'secret.usage.legacy': 'Envie-o como a variável secretKey, somente a partir de servidores.',
  'secret.ends': 'O segredo que termina em {hint} funciona até {until}.',
  'secret.done': 'Já o guardei',
  'secret.goneHeading': 'Este segredo já foi exibido',
  'secret.gone':
    'Um segredo é exibido uma única vez, à pessoa que o criou. Se você não o guardou, rotacione o conjunto de chaves para criar um novo.',
  'secret.back': 'Conjuntos de chaves',
}
