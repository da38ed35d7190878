import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const summary: Catalogue<typeof areas.summary> = {
  'summary.less': 'Solo lo que está marcado abajo.',
  'summary.verbs.insertData': 'crear',
  'summary.verbs.updateData': 'actualizar',
  'summary.verbs.deleteData': 'eliminar',
  'summary.verbs.records:create': 'crear',
  'summary.verbs.records:update': 'actualizar',
  'summary.verbs.records:delete': 'eliminar',
  'summary.records': '{verbs} registros',
  'summary.things.read': 'leer todo',
  'summary.things.readData': 'leer todo',
  'summary.things.addFields': 'agregar campos',
  'summary.things.readMembers': 'ver a las personas de la organización',
  'summary.things.documents:read': 'leer documentos',
  'summary.things.workspace_members:read': 'ver a los miembros',
  'summary.things.table:create': 'crear tablas',
  'summary.things.table:modify': 'cambiar las opciones de los campos desplegables',
  'summary.wideThings.teams:read': 'ver los equipos',
  'summary.wideThings.rootTable:create': 'crear tablas',
  'summary.more':
    'hacer {count, plural, one {# cosa más} many {# de cosas más} other {# cosas más}}',
  'summary.inAll': 'Puede {things} en todos los espacios de trabajo.',
  'summary.inSome':
    'Puede {things} en {count, plural, =0 {ningún espacio de trabajo todavía} one {# espacio de trabajo} many {# de espacios de trabajo} other {# espacios de trabajo}}.',
  'summary.inOrganization': 'Puede {things} en {organization}.',
  'summary.inAllAndWide':
    'Puede {things} en todos los espacios de trabajo y {wide} en toda la organización.',
  'summary.inSomeAndWide':
    'Puede {things} en {count, plural, =0 {ningún espacio de trabajo todavía} one {# espacio de trabajo} many {# de espacios de trabajo} other {# espacios de trabajo}} y {wide} en toda la organización.',
  'summary.onlyWide': 'Puede {wide} en toda la organización.',
  'summary.nothing': 'No obtiene acceso a datos.',
  'summary.count.inAll':
    'Puede hacer {count, plural, one {# cosa} many {# de cosas} other {# cosas}} en todos los espacios de trabajo.',
  'summary.count.inSome':
    'Puede hacer {count, plural, one {# cosa} many {# de cosas} other {# cosas}} en {places, plural, =0 {ningún espacio de trabajo todavía} one {# espacio de trabajo} many {# de espacios de trabajo} other {# espacios de trabajo}}.',
  'summary.count.inOrganization':
    'Puede hacer {count, plural, one {# cosa} many {# de cosas} other {# cosas}} en {organization}.',
  'summary.sensitive': 'Revisa con atención: {names}.',
  'summary.sensitiveAndMore': 'Revisa con atención: {names}; y {count, number} más.',
}
