import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const device: Catalogue<typeof areas.device> = {
  'device.heading': 'Conectar un dispositivo',
  'device.lead':
    'Escribe el código que muestra tu dispositivo o programa. Después verás qué app pide acceso.',
  'device.label': 'Código',
  'device.hint': 'Ocho letras, como BCDF-GHJK. El guion no importa.',
  'device.compare': 'Continúa solo si tu propio dispositivo muestra exactamente este código.',
  'device.warningTitle': 'Continúa solo si lo iniciaste tú',
  'device.warning':
    'Si otra persona te envió este código o enlace, cierra esta página. Su dispositivo obtendría acceso como si esa persona fueras tú. Nunca pedimos un código por teléfono, correo o chat.',
  'device.submit': 'Continuar',
  'device.unknown':
    'Este código no es válido. Revisa las letras. Un código funciona una vez, durante diez minutos.',
  'device.malformed': 'Este no es un código de dispositivo. Tiene ocho letras, como BCDF-GHJK.',
  'device.shows': 'Esto se inició en otro dispositivo, que muestra el código:',
  'device.started':
    'Iniciado {minutes, plural, =0 {ahora mismo} one {hace un minuto} many {hace # de minutos} other {hace # minutos}} desde {address}{device, select, none {.} other {, con {device}.}}',
  'device.doubt':
    'Continúa solo si lo iniciaste tú. El acceso será para ese dispositivo, no para este navegador.',
  'device.returns': 'Después de responder, continúa en tu dispositivo.',
  'device.approved.heading': 'El dispositivo está conectado',
  'device.approved.message':
    'Vuelve a tu dispositivo. Continuará solo en unos segundos. Puedes cerrar esta página.',
  'device.denied.heading': 'Acceso denegado',
  'device.denied.message': 'El dispositivo no obtiene acceso. Puedes cerrar esta página.',
  'device.late.heading': 'Este código ya no es válido',
  'device.late.message':
    'El código caducó o ya se respondió. Empieza de nuevo en tu dispositivo con otro código.',
}
