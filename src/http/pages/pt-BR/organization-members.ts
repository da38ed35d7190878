import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {
  'members.title': 'Membros',
  'members.heading': 'Membros de {organization}',
  'members.lead':
    'A plataforma decide quem faz parte e quem é admin. Para mudar isso, fale com o operador dela.',
  'members.find': 'Nome ou endereço de e-mail',
  'members.role': 'Papel',
  'members.roles.all': 'Todos',
  'members.roles.admin': 'Admin',
  'members.roles.member': 'Membro',
  'members.findSubmit': 'Mostrar',
  'members.findAll': 'Mostrar todos',
  'members.name': 'Nome',
  'members.workspaces': 'Espaços de trabalho',
  'members.noWorkspace': 'Nenhum',
  'members.more': 'e mais {count, number}',
  'members.lastSignIn': 'Último login',
  'members.unknown': 'Desconhecido',
  'members.disabled': 'Conta desativada',
  'members.you': 'Você',
  'members.nothingFound': 'Nenhum membro corresponde a esta busca.',
  'members.apps': 'Apps',
  'members.noApp': 'Nenhum',
  'members.back': 'Todos os membros',
  'members.appsOf': 'Apps que agem em nome de {person}',
  'members.noApps': 'Nenhum app age em nome de {person} no momento.',
  'members.empty': 'Ninguém faz parte desta organização.',
}
