import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const notifications: Catalogue<typeof areas.notifications> = {
  title: 'Notificaciones',
  heading: 'Qué correos recibes',
  lead: 'Los enviamos a {email}.',
  legend: 'Enviarme un correo',
  'categories.requests.label': 'Solicitudes de apps',
  'categories.requests.hint': 'Un miembro pide una app o un administrador te responde.',
  'categories.apps.label': 'Apps instaladas',
  'categories.apps.hint': 'Una app pide más permisos o no se usó durante 90 días.',
  'categories.secrets.label': 'Secretos que caducan',
  'categories.secrets.hint': 'Un secreto de tu app o de un conjunto de claves caduca pronto.',
  'categories.operation.label': 'Fallos de tus apps',
  'categories.operation.hint':
    'Un webhook falla o se rechazan muchas más solicitudes de lo normal.',
  always: 'Los correos sobre la seguridad de tu cuenta u organización se envían siempre.',
  submit: 'Guardar',
  saved: 'Se guardó tu elección.',
  'unsubscribe.title': 'Menos correos',
  'unsubscribe.heading': '¿Dejar de recibir correos como este?',
  'unsubscribe.about': 'No recibirás más correos sobre:',
  'unsubscribe.submit': 'Dejar de recibirlos',
  'unsubscribe.doneTitle': 'Correos cancelados',
  'unsubscribe.doneHeading': 'Ya no recibirás correos como este',
  'unsubscribe.doneHint': 'Puedes volver a activarlos.',
  'unsubscribe.choose': 'Elegir qué correos recibes',
  'unsubscribe.invalidTitle': 'Enlace no válido',
  'unsubscribe.invalidHeading': 'Este enlace no es válido',
  'unsubscribe.invalid': 'Inicia sesión para elegir qué correos recibes.',
}
