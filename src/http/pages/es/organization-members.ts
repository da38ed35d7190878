import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {
  'members.title': 'Miembros',
  'members.heading': 'Miembros de {organization}',
  'members.lead':
    'La plataforma decide quién pertenece aquí y quién es administrador. Pide a su operador que lo cambie.',
  'members.find': 'Nombre o correo electrónico',
  'members.role': 'Rol',
  'members.roles.all': 'Todos',
  'members.roles.admin': 'Administrador',
  'members.roles.member': 'Miembro',
  'members.findSubmit': 'Mostrar',
  'members.findAll': 'Mostrar todo',
  'members.name': 'Nombre',
  'members.workspaces': 'Espacios de trabajo',
  'members.noWorkspace': 'Ninguno',
  'members.more': 'y {count, number} más',
  'members.lastSignIn': 'Último inicio de sesión',
  'members.unknown': 'Desconocido',
  'members.disabled': 'Cuenta desactivada',
  'members.you': 'Tú',
  'members.nothingFound': 'Ningún miembro coincide con esta búsqueda.',
  'members.apps': 'Apps',
  'members.noApp': 'Ninguna',
  'members.back': 'Todos los miembros',
  'members.appsOf': 'Apps que actúan en nombre de {person}',
  'members.noApps': 'Ninguna app actúa en nombre de {person} en este momento.',
  'members.empty': 'Esta organización no tiene miembros.',
}
