import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationKeys: Catalogue<typeof areas.organizationKeys> = {
  'keys.title': 'Conjuntos de claves',
  'keys.heading': 'Conjuntos de claves de {organization}',
  'keys.lead':
    'Con un conjunto de claves, tus propios programas pueden usar los datos de la organización sin que una persona inicie sesión.',
  'keys.create': 'Nuevo conjunto de claves',
  'keys.emptyHeading': 'Todavía no hay ningún conjunto de claves',
  'keys.empty': 'Crea uno para cada programa, así podrás eliminar uno sin afectar a los demás.',
  'keys.interfaces.current': 'Interfaz actual',
  'keys.interfaces.legacy': 'Interfaz heredada',
  'keys.ids.current': 'Client ID',
  'keys.ids.legacy': 'App ID',
  'keys.by': 'Creado por',
  'keys.workloads': 'Cargas de trabajo de confianza (no necesitan secreto)',
  'keys.created': 'Creado',
  'keys.operator': 'El operador de este servicio',
  'keys.secrets': 'Secretos',
  'keys.noSecret':
    'No hay ningún secreto activo, así que ningún programa puede usar este conjunto de claves hasta que lo rotes.',
  'keys.noSecretNeeded':
    'No hay ningún secreto activo. Solo las cargas de trabajo de confianza obtienen tokens de este conjunto de claves.',
  'keys.secret.hint': 'Termina en',
  'keys.secret.created': 'Creado',
  'keys.secret.lastUsed': 'Último uso',
  'keys.secret.until': 'Válido hasta',
  'keys.secret.open': 'que lo retires',
  'keys.secret.standing': 'Estado',
  'keys.secret.standings.only': 'Activo',
  'keys.secret.standings.newest': 'El más reciente; conserva este',
  'keys.secret.standings.inUse': 'Aún en uso, por última vez el {when}; no es seguro retirarlo',
  'keys.secret.standings.resting':
    'Último uso el {when}, antes de crear el más reciente; es seguro retirarlo cuando todos los programas que lo usaban se hayan ejecutado de nuevo',
  'keys.secret.standings.waiting': 'El más reciente aún no se ha usado; no es seguro retirar este',
  'keys.secret.standings.replaced':
    'Es seguro retirarlo: el más reciente está en uso, y este {when, select, none {nunca se usó} other {se usó por última vez el {when}}}',
  'keys.secret.standings.unused':
    '{everUsed, select, true {Es seguro retirarlo: sin uso desde hace {days, plural, one {# día} many {# de días} other {# días}}} other {Es seguro retirarlo: nunca se usó desde su creación hace {days, plural, one {# día} many {# de días} other {# días}}}}',
  'keys.secret.standings.endless':
    'Se vieron tokens sin fecha de caducidad, por última vez el {on}. Rota el secreto para invalidarlos.',
  'keys.secret.action': 'Acción',
  'keys.secret.retire': 'Retirar',
  'keys.edit': 'Editar',
  'keys.rotate': 'Rotar',
  'keys.remove': 'Eliminar',
  'keys.done.changed': 'El cambio está en vigor.',
  'keys.done.retired': 'El secreto se retiró. Los tokens firmados con él ya no funcionan.',
  'keys.done.deleted': 'El conjunto de claves se eliminó. Sus tokens dejaron de funcionar.',
  'keys.tooMany':
    'Ya hay dos secretos activos. Retira uno de ellos o haz que dejen de funcionar de inmediato. Si no viste el secreto nuevo, retíralo.',
  'keyRotate.title': 'Rotar un conjunto de claves',
  'keyRotate.heading': 'Nuevo secreto para {name}',
  'keyRotate.legend': '¿Cuánto tiempo más funciona el secreto en uso?',
  'keyRotate.overlaps.hour.words': '1 hora más',
  'keyRotate.overlaps.hour.hint': 'Para un programa que puedes cambiar ahora.',
  'keyRotate.overlaps.day.words': '1 día más',
  'keyRotate.overlaps.week.words': '7 días más',
  'keyRotate.overlaps.month.words': '30 días más',
  'keyRotate.overlaps.month.hint': 'Para programas que tienen que cambiar otras personas.',
  'keyRotate.overlaps.now.words': 'Termina de inmediato',
  'keyRotate.overlaps.now.hint':
    'Elige esto si el secreto se filtró. Los programas que lo usan se detienen.',
  'keyRotate.full':
    'Hay dos secretos activos. Para conservar uno junto a un secreto nuevo, retira antes el otro.',
  'keyRotate.none': 'No hay ningún secreto activo.',
  'keyRotate.confirm': 'Crear un secreto nuevo',
  'keyRotate.back': 'Cancelar',
  'keyStop.remove.title': 'Eliminar un conjunto de claves',
  'keyStop.remove.heading': '¿Eliminar {name}?',
  'keyStop.remove.atOnce':
    'Los programas que lo usan dejan de funcionar de inmediato. Todos sus tokens dejan de ser válidos.',
  'keyStop.remove.forGood':
    'Esto no se puede deshacer. Un conjunto de claves nuevo tiene otro ID y otro secreto.',
  'keyStop.remove.confirm': 'Eliminar {name}',
  'keyStop.retire.title': 'Retirar un secreto',
  'keyStop.retire.heading': '¿Retirar el secreto {hint} de {name}?',
  'keyStop.retire.atOnce':
    'Los programas que aún usan este secreto dejan de funcionar de inmediato.',
  'keyStop.retire.only':
    'Es el único secreto. Los programas que usan el conjunto de claves dejan de funcionar de inmediato, hasta que lo rotes.',
  'keyStop.retire.confirm': 'Retirar este secreto',
  'keyStop.untrust.title': 'Dejar de confiar en una carga de trabajo',
  'keyStop.untrust.heading': '¿Dejar de confiar en {workload}?',
  'keyStop.untrust.atOnce':
    'Ya no obtiene tokens de este conjunto de claves. Los que tiene dejan de funcionar de inmediato.',
  'keyStop.untrust.confirm': 'Dejar de confiar',
  'keyWorkloads.title': 'Cargas de trabajo de confianza',
  'keyWorkloads.heading': 'Cargas de trabajo de confianza de {name}',
  'keyWorkloads.lead':
    'Una tarea o un servicio que tiene un token de su propia plataforma, como una tarea de CI, obtiene acceso con este conjunto de claves sin un secreto.',
  'keyWorkloads.none': 'Todavía no hay ninguna carga de trabajo de confianza.',
  'keyWorkloads.issuer': 'Emisor',
  'keyWorkloads.issuerHint': 'El claim iss exacto de sus tokens: una dirección https.',
  'keyWorkloads.subject': 'Sujeto',
  'keyWorkloads.subjectHint': 'El claim sub exacto de sus tokens.',
  'keyWorkloads.claims': 'Otros claims',
  'keyWorkloads.claimsHint':
    'Uno por línea, como repository=acme/nightly. Cada valor debe ser exactamente ese.',
  'keyWorkloads.jwksUri': 'Dirección de las claves públicas',
  'keyWorkloads.jwksUriHint': 'Solo para un emisor que no publica metadatos.',
  'keyWorkloads.optional': 'opcional',
  'keyWorkloads.add': 'Confiar en una carga de trabajo',
  'keyWorkloads.trust': 'Confiar',
  'keyWorkloads.remove': 'Dejar de confiar',
  'keyWorkloads.action': 'Acción',
  'keyWorkloads.full':
    'Un conjunto de claves confía en {count, number} cargas de trabajo como máximo.',
  'keyWorkloads.back': 'Conjuntos de claves',
  'keyWorkloads.faults.issuer': 'Escribe la dirección https del emisor, sin consulta.',
  'keyWorkloads.faults.ownIssuer':
    'Los tokens de este servidor son para API de datos. No pueden representar una carga de trabajo.',
  'keyWorkloads.faults.subject': 'Escribe un sujeto o un claim.',
  'keyWorkloads.faults.claims':
    'Escribe cada claim como nombre=valor en una línea propia, 10 como máximo.',
  'keyWorkloads.faults.jwksUri':
    'Escribe la dirección https de las claves. Es la misma para todas las cargas de trabajo de un emisor.',
  'keyWorkloads.faults.duplicate': 'Esta carga de trabajo ya es de confianza.',
  'keyWorkloads.done.trusted': 'La carga de trabajo ahora es de confianza.',
  'keyWorkloads.done.untrusted':
    'La carga de trabajo ya no es de confianza. Sus tokens dejaron de funcionar.',
  'keyForm.kinds': '¿Qué interfaz usa el programa?',
  'keyForm.kind.current.name': 'Interfaz actual',
  'keyForm.kind.current.hint':
    'El programa firma sus propios tokens o los obtiene sin un secreto. Elige esta para programas nuevos.',
  'keyForm.kind.legacy.name': 'Interfaz heredada',
  'keyForm.kind.legacy.hint':
    'El programa envía el secreto con cada solicitud. Para programas que ya existen.',
  'keyForm.chosen': 'Elegida',
  'keyForm.createTitle': 'Nuevo conjunto de claves',
  'keyForm.changeTitle': 'Editar un conjunto de claves',
  'keyForm.headings.current': 'Nuevo conjunto de claves',
  'keyForm.headings.legacy': 'Nuevo conjunto de claves para la interfaz heredada',
  'keyForm.changeHeading': 'Editar el conjunto de claves',
  'keyForm.lead.current':
    'Para programas que firman sus propios tokens con un Client ID y un Client Secret.',
  'keyForm.lead.legacy':
    'Para programas que envían un App Secret con cada solicitud, como secretKey.',
  'keyForm.changeLead':
    'Los cambios se aplican también a los tokens en uso. Los secretos no cambian.',
  'keyForm.name': 'Nombre',
  'keyForm.nameHint': 'Para qué programa es, como “Exportación nocturna”.',
  'keyForm.nameFault': 'Escribe un nombre de hasta 100 caracteres.',
  'keyForm.description': 'Descripción',
  'keyForm.optional': 'opcional',
  'keyForm.descriptionFault': 'Escribe una descripción de hasta 1000 caracteres en una sola línea.',
  'keyForm.may': 'Permisos máximos',
  'keyForm.where': 'Espacios de trabajo máximos',
  'keyForm.create': 'Crear',
  'keyForm.save': 'Guardar',
  'keyForm.back': 'Cancelar',
  'secret.title': 'Secreto nuevo',
  'secret.heading': 'El secreto de {name}',
  'secret.once': 'Cópialo ahora. No se volverá a mostrar, ni siquiera a ti.',
  'secret.lost': 'Si lo pierdes, rota el conjunto de claves.',
  'secret.labels.current': 'Client Secret',
  'secret.labels.legacy': 'App Secret',
  'secret.copy': 'Copiar',
  'secret.copied': 'Copiado.',
  'secret.copyFailed': 'No se pudo copiar. Selecciona el campo y cópialo a mano.',
  'secret.download': 'Descargar como archivo',
  'secret.downloadHint':
    'El archivo contiene el secreto en texto sin cifrar. Guárdalo donde solo el programa pueda leerlo.',
  'secret.usage.current':
    'Firma un JWT con él (HS256; la clave es el secreto tal como se muestra), con el Client ID como emisor.',
  'secret.usage.legacy': 'Envíalo como la variable secretKey, solo desde servidores.',
  'secret.ends': 'El secreto que termina en {hint} funciona hasta {until}.',
  'secret.done': 'Ya lo guardé',
  'secret.goneHeading': 'Este secreto ya se mostró',
  'secret.gone':
    'Un secreto se muestra una vez, a la persona que lo creó. Si no lo guardaste, rota el conjunto de claves para crear otro.',
  'secret.back': 'Conjuntos de claves',
}
