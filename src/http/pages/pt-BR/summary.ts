import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const summary: Catalogue<typeof areas.summary> = {
  'summary.less': 'Somente o que está marcado abaixo.',
  'summary.verbs.insertData': 'criar',
  'summary.verbs.updateData': 'atualizar',
  'summary.verbs.deleteData': 'excluir',
  'summary.verbs.records:create': 'criar',
  'summary.verbs.records:update': 'atualizar',
  'summary.verbs.records:delete': 'excluir',
  'summary.records': '{verbs} registros',
  'summary.things.read': 'ler tudo',
  'summary.things.readData': 'ler tudo',
  'summary.things.addFields': 'adicionar campos',
  'summary.things.readMembers': 'ver as pessoas da organização',
  'summary.things.documents:read': 'ler documentos',
  'summary.things.workspace_members:read': 'ver os membros',
  'summary.things.table:create': 'criar tabelas',
  'summary.things.table:modify': 'alterar as opções de campos de lista suspensa',
  'summary.wideThings.teams:read': 'ver as equipes',
  'summary.wideThings.rootTable:create': 'criar tabelas',
  'summary.more': 'fazer {count, plural, one {mais # coisa} other {mais # coisas}}',
  'summary.inAll': 'Pode {things} em todos os espaços de trabalho.',
  'summary.inSome':
    '{count, plural, =0 {Ainda não pode {things} em nenhum espaço de trabalho.} one {Pode {things} em # espaço de trabalho.} other {Pode {things} em # espaços de trabalho.}}',
  'summary.inOrganization': 'Pode {things} em {organization}.',
  'summary.inAllAndWide':
    'Pode {things} em todos os espaços de trabalho e {wide} em toda a organização.',
  'summary.inSomeAndWide':
    '{count, plural, =0 {Ainda não pode {things} em nenhum espaço de trabalho, mas pode {wide} em toda a organização.} one {Pode {things} em # espaço de trabalho e {wide} em toda a organização.} other {Pode {things} em # espaços de trabalho e {wide} em toda a organização.}}',
  'summary.onlyWide': 'Pode {wide} em toda a organização.',
  'summary.nothing': 'Não recebe acesso a dados.',
  'summary.count.inAll':
    'Pode fazer {count, plural, one {# coisa} other {# coisas}} em todos os espaços de trabalho.',
  'summary.count.inSome':
    '{places, plural, =0 {Ainda não pode fazer nada em nenhum espaço de trabalho (aprovado: {count, plural, one {# coisa} other {# coisas}}).} one {Pode fazer {count, plural, one {# coisa} other {# coisas}} em # espaço de trabalho.} other {Pode fazer {count, plural, one {# coisa} other {# coisas}} em # espaços de trabalho.}}',
  'summary.count.inOrganization':
    'Pode fazer {count, plural, one {# coisa} other {# coisas}} em {organization}.',
  'summary.sensitive': 'Preste atenção em: {names}.',
  'summary.sensitiveAndMore': 'Preste atenção em: {names}; e mais {count, number}.',
}
