import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organization: Catalogue<typeof areas.organization> = {
  navigation: 'Páginas da organização',
  label: 'Organização',
  'tabs.apps': 'Apps',
  'tabs.members': 'Membros',
  'tabs.keys': 'Conjuntos de chaves',
  'tabs.activity': 'Atividade',
  'tabs.review': 'Revisão',
  'tabs.policy': 'Regras',
  'tabs.inspect': 'Inspeção',
  toDecide: '{count, number} para decidir',
  outdated: 'Outra pessoa alterou isto. Este é o estado atual.',
  'facts.may': 'Pode',
  'facts.where': 'Em',
  'facts.everywhere': 'Todos os espaços de trabalho, inclusive os futuros',
  'facts.nowhere': 'Nenhum espaço de trabalho',
  'facts.never': 'nunca',
  'facts.ends': 'Término',
  'facts.idle': '{days, plural, one {após # dia sem uso} other {após # dias sem uso}}',
  'facts.orIdle': '{days, plural, one {ou após # dia sem uso} other {ou após # dias sem uso}}',
  'permissions.may': 'O que o app pode fazer',
  'permissions.hint': 'Desmarque o que a organização não quer permitir.',
  'permissions.keyHint':
    'Marque apenas o necessário para o trabalho. Você pode alterar isto a qualquer momento.',
  'editConflict.you': 'Você',
  'editConflict.heading':
    '{who, select, none {Outra pessoa alterou isto enquanto você editava. Suas alterações ainda não foram salvas.} other {Alteração feita por {who} em {at}, enquanto você editava. Suas alterações ainda não foram salvas.}}',
  'editConflict.now': 'Salvo agora',
  'editConflict.yours':
    'O formulário contém suas alterações. Salve de novo para substituir o estado salvo ou cancele para mantê-lo.',
  'editConflict.name': 'Nome',
  'editConflict.description': 'Descrição',
  'editConflict.none': 'nenhuma',
}
