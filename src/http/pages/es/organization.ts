import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organization: Catalogue<typeof areas.organization> = {
  navigation: 'Páginas de la organización',
  label: 'Organización',
  'tabs.apps': 'Apps',
  'tabs.members': 'Miembros',
  'tabs.keys': 'Conjuntos de claves',
  'tabs.activity': 'Actividad',
  'tabs.review': 'Revisión',
  'tabs.policy': 'Reglas',
  'tabs.inspect': 'Inspeccionar',
  toDecide: '{count, number} por decidir',
  outdated: 'Otra persona cambió esto. Este es el estado actual.',
  'facts.may': 'Puede',
  'facts.where': 'En',
  'facts.everywhere': 'Todos los espacios de trabajo, también los futuros',
  'facts.nowhere': 'Ningún espacio de trabajo',
  'facts.never': 'nunca',
  'facts.ends': 'Termina',
  'facts.idle':
    '{days, plural, one {tras # día sin uso} many {tras # de días sin uso} other {tras # días sin uso}}',
  'facts.orIdle':
    '{days, plural, one {o tras # día sin uso} many {o tras # de días sin uso} other {o tras # días sin uso}}',
  'permissions.may': 'Qué puede hacer',
  'permissions.hint': 'Desmarca lo que la organización no quiera permitir.',
  'permissions.keyHint':
    'Marca lo mínimo que necesite el trabajo. Puedes cambiarlo en cualquier momento.',
  'editConflict.you': 'Tú',
  'editConflict.heading':
    '{who, select, none {Otra persona cambió esto mientras lo editabas. Tus cambios aún no se guardaron.} other {Esto cambió el {at} mientras lo editabas. Responsable: {who}. Tus cambios aún no se guardaron.}}',
  'editConflict.now': 'Guardado ahora',
  'editConflict.yours':
    'El formulario contiene tus cambios. Guarda de nuevo para reemplazar el estado guardado o cancela para conservarlo.',
  'editConflict.name': 'Nombre',
  'editConflict.description': 'Descripción',
  'editConflict.none': 'ninguna',
}
