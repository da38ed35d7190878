import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const permissions: Catalogue<typeof areas.permissions> = {
  'identity.self.openid': 'Reconocerte cada vez que vuelvas',
  'identity.self.profile': 'Ver tu nombre',
  'identity.self.email': 'Ver tu correo electrónico',
  'identity.other.openid': 'Reconocer a la persona',
  'identity.other.profile': 'Ver el nombre de la persona',
  'identity.other.email': 'Ver el correo electrónico de la persona',
  'permissionSentences.legacy.readData':
    'Leer todo el contenido de las bases de datos de la organización',
  'permissionSentences.legacy.insertData': 'Crear registros',
  'permissionSentences.legacy.updateData': 'Actualizar registros',
  'permissionSentences.legacy.deleteData': 'Eliminar registros',
  'permissionSentences.legacy.readMembers':
    'Leer los nombres y correos electrónicos de las personas de la organización',
  'permissionSentences.legacy.addFields': 'Agregar campos a las bases de datos',
  'permissionSentences.current.documents:read':
    'Leer documentos y plantillas en la app de contenido',
  'permissionSentences.current.records:create': 'Crear registros',
  'permissionSentences.current.records:update': 'Actualizar registros',
  'permissionSentences.current.records:delete': 'Eliminar registros',
  'permissionSentences.current.workspace_members:read':
    'Leer los nombres y correos electrónicos de los miembros de los espacios de trabajo',
  'permissionSentences.current.teams:read': 'Leer qué equipos existen en toda la organización',
  'permissionSentences.current.table:create':
    'Crear tablas en los espacios de trabajo indicados abajo',
  'permissionSentences.current.table:modify': 'Cambiar las opciones de los campos desplegables',
  'permissionSentences.current.rootTable:create': 'Crear tablas en la propia organización',
  'permissionList.legend': 'Podrá',
  'permissionList.hint': 'Desmarca lo que no quieras permitir.',
  'permissionList.always': 'siempre incluido',
  'permissionList.none': 'Nada, salvo tu identidad.',
  'permissionList.fresh': 'Nuevo',
  'permissionList.approved': 'Ya aprobado',
  'permissionList.sensitive': 'Revisa esto primero',
  'permissionList.readEverything':
    'Leer todo el contenido de los espacios de trabajo indicados abajo',
  'permissionList.groups.identity': 'Identidad',
  'permissionList.groups.read': 'Lectura',
  'permissionList.groups.write': 'Escritura',
  'permissionList.groups.people': 'Personas',
  'permissionList.groups.structure': 'Estructura',
  'permissionList.groups.other': 'Otros',
  'permissionList.groups.always': 'Siempre',
  'permissionList.marks.personal_data': 'datos personales',
  'permissionList.marks.data_loss': 'se pueden perder datos',
  'permissionList.marks.whole_organization': 'toda la organización',
  'permissionList.marks.not_described': 'sin descripción',
  'permissionList.unknown': 'Usar el permiso “{name}”',
  'workspaces.legend': 'Dónde',
  'workspaces.all': 'Todos los espacios de trabajo, también los futuros',
  'workspaces.only': 'Solo estos…',
  'workspaces.later': 'También los espacios de trabajo a los que te unas más adelante',
  'workspaces.ticked':
    '{count} de {total, plural, one {# espacio de trabajo} many {# de espacios de trabajo} other {# espacios de trabajo}}',
  'workspaces.find': 'Buscar un espacio de trabajo',
  'workspaces.tick': 'Marcar todos los que se muestran',
  'workspaces.untick': 'Desmarcar todos los que se muestran',
  'workspaces.shown': 'Se muestran: {count}',
  'workspaces.reach':
    '{own, number} de {total, plural, one {# espacio de trabajo} many {# de espacios de trabajo} other {# espacios de trabajo}}',
  'workspaces.approvedBy': 'aprobado por {by} el {on}',
  'workspaces.noneOwn':
    'No perteneces a ningún espacio de trabajo aprobado, así que todavía no hay nada que leer.',
  'workspaces.noneYet': 'Todavía no hay espacios de trabajo.',
  'workspaces.chooseOne': 'Elige al menos un espacio de trabajo.',
}
