import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const mails: Catalogue<typeof areas.mails> = {
  deletedApp: 'una app eliminada',
  deletedOrganization: 'una organización eliminada',
  deletedKeySet: 'un conjunto de claves eliminado',
  'facts.time': 'Hora',
  'facts.device': 'Dispositivo',
  'facts.unknownDevice': 'Desconocido',
  'facts.address': 'Dirección IP',
  'facts.ends': 'Termina',
  'requested.subject':
    '{organization}: {person, select, none {un miembro} other {{person}}} pide {app}',
  'requested.lead':
    '{person, select, none {Un miembro de {organization} pide usar {app}.} other {{person} pide usar {app} en {organization}.}}',
  'requested.action': 'Decidir',
  'waiting.subject':
    '{organization}: {person, select, none {un miembro} other {{person}}} sigue esperando {app}',
  'waiting.lead':
    '{person, select, none {Un miembro de {organization}} other {{person}}} pidió {app} hace tres días y aún no tiene respuesta.',
  'waiting.action': 'Decidir',
  'approved.subject': 'Tu solicitud de {app} en {organization} fue aprobada',
  'approved.lead': 'Un administrador de {organization} aprobó tu solicitud. Ya puedes usar {app}.',
  'approved.action': 'Tus apps conectadas',
  'refused.subject': 'Tu solicitud de {app} en {organization} fue rechazada',
  'refused.lead': 'Un administrador de {organization} rechazó tu solicitud de {app}.',
  'refused.action': 'Tus apps conectadas',
  'unanswered.subject': 'Sin respuesta a tu solicitud de {app} en {organization}',
  'unanswered.lead':
    'Los administradores de {organization} no respondieron a tiempo a tu solicitud de {app}. Puedes volver a pedirla desde la app.',
  'unanswered.action': 'Tus apps conectadas',
  'asksForMore.subject': '{app} pide más permisos en {organization}',
  'asksForMore.lead':
    '{app} pide permisos que no tiene en {organization}. No obtiene ninguno hasta que decidas.',
  'asksForMore.action': 'Decidir',
  'unused.subject': '{app} lleva 90 días sin usarse en {organization}',
  'unused.lead': 'Si {organization} ya no necesita {app}, desinstálala.',
  'unused.action': 'Ver la app',
  'secretEnds.subject': 'Un secreto de {app} caduca el {day}',
  'secretEnds.lead':
    'A partir del {day}, las solicitudes con este secreto fallan. Comprueba que todos los servidores de {app} usen uno más nuevo.',
  'secretEnds.action': 'Ver los secretos',
  'keyEnds.subject': '{organization}: un secreto de {keySet} caduca el {day}',
  'keyEnds.lead':
    'A partir del {day}, las solicitudes con este secreto fallan. Comprueba que todos los programas con {keySet} usen uno más nuevo.',
  'keyEnds.action': 'Ver los conjuntos de claves',
  'webhookOff.subject': 'Un webhook de {app} está desactivado',
  'webhookOff.lead':
    'Su endpoint ya no existe o no aceptó mensajes durante días. No recibe más eventos de {app} hasta que se vuelva a activar.',
  'webhookOff.action': 'Ver la app',
  'webhookFailed.subject': 'No se entregaron mensajes de webhook de {app}',
  'webhookFailed.lead': 'Un endpoint de {app} no los aceptó durante días. No se vuelven a enviar.',
  'webhookFailed.action': 'Ver la app',
  'refusals.subject': 'Se rechazan muchas más solicitudes de {app}',
  'refusals.lead':
    'Rechazadas hoy: {count}. En un día normal se rechazan muchas menos solicitudes de {app}.',
  'refusals.action': 'Ver la app',
  'reuse.subject': 'Un token de {app} se usó dos veces en {organization}',
  'reuse.lead':
    'Es posible que una copia de un token esté en malas manos, así que cerramos esta conexión de {app}. La persona que la usa puede volver a conectar la app.',
  'reuse.action': 'Ver la actividad',
  'connected.subject': '{app} ya puede actuar en tu nombre',
  'connected.lead':
    'Conectaste {app} en {organization}. Si no fuiste tú, desconéctala y cambia tu contraseña.',
  'connected.action': 'Tus apps conectadas',
  'disconnected.subject': '{app} ya no puede actuar en tu nombre',
  'disconnected.lead': 'Un administrador de {organization} desconectó {app}.',
  'disconnected.action': 'Tus apps conectadas',
  'passkey.subject': 'Se agregó una llave de acceso a tu cuenta',
  'passkey.lead': 'Si no fuiste tú, quita la llave de acceso y cambia tu contraseña.',
  'passkey.action': 'Tus llaves de acceso',
  'passwordChanged.subject': 'Se cambió tu contraseña',
  'passwordChanged.lead':
    'Tus sesiones y apps conectadas anteriores terminaron. Si no fuiste tú, establece de inmediato una contraseña nueva.',
  'passwordChanged.action': 'Establecer una contraseña nueva',
  'newPlace.subject': 'Nuevo inicio de sesión en tu cuenta',
  'newPlace.lead':
    'Tu cuenta se usó en un dispositivo nuevo o en una red nueva. Si fuiste tú, no tienes que hacer nada. Si no, cierra la sesión y cambia tu contraseña.',
  'newPlace.action': 'Tus sesiones',
  'forgotten.subject': 'Establece una contraseña nueva',
  'forgotten.lead':
    'El enlace funciona una vez, hasta {time}. Si no lo pediste, ignora este correo: tu contraseña no cambia.',
  'forgotten.action': 'Establecer una contraseña nueva',
  'invited.subject': 'Tu cuenta en {brand}',
  'invited.lead':
    'Ya tienes una cuenta en {brand}. Establece una contraseña para iniciar sesión. El enlace funciona una vez, hasta {time}.',
  'invited.action': 'Establecer una contraseña',
  'digest.subject': 'Novedades de tus apps',
  'digest.lead': 'Estos correos debían enviarse al mismo tiempo:',
  'digest.action': 'Inicio',
  'why.security':
    'Este correo trata de la seguridad de tu cuenta u organización. No se puede desactivar.',
  'why.account':
    '¿El enlace caducó? La página de inicio de sesión o un administrador pueden enviar otro.',
  'why.other': 'Recibes este correo por tu rol en una organización o app.',
  choose: 'Elegir qué correos recibes',
  unsubscribe: 'No recibir más correos como este',
}
