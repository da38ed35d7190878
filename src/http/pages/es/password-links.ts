import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.link': '¿Olvidaste tu contraseña?',
  'forgotten.title': '¿Olvidaste tu contraseña?',
  'forgotten.heading': '¿Olvidaste tu contraseña?',
  'forgotten.lead': 'Enviamos un enlace para crear otra a la dirección de tu cuenta.',
  'forgotten.submit': 'Enviar el enlace',
  'forgotten.incomplete': 'Escribe tu correo electrónico.',
  'forgotten.sentTitle': 'Revisa tu correo',
  'forgotten.sentHeading': 'Revisa tu correo',
  'forgotten.sent':
    'Si hay una cuenta con contraseña y la dirección {email}, el enlace está en camino.',
  'forgotten.sentHint':
    'Funciona una vez, durante 30 minutos. ¿No llega el correo? Mira en la carpeta de spam.',
  'forgotten.back': 'Iniciar sesión',
  'newPassword.title': 'Contraseña nueva',
  'newPassword.heading': 'Elige una contraseña nueva',
  'newPassword.consequence': 'Se cierra tu sesión en todas partes y se desconectan todas las apps.',
  'newPassword.invitedTitle': 'Elige una contraseña',
  'newPassword.invitedHeading': 'Te damos la bienvenida, {name}',
  'newPassword.account': 'Para {email}',
  'newPassword.password': 'Contraseña nueva',
  'newPassword.submit': 'Guardar la contraseña',
  'newPassword.doneTitle': 'Contraseña guardada',
  'newPassword.doneHeading': 'Se guardó tu contraseña',
  'newPassword.done': 'Inicia sesión con ella.',
  'newPassword.signIn': 'Iniciar sesión',
  'newPassword.goneTitle': 'Enlace caducado',
  'newPassword.goneHeading': 'Este enlace ya no funciona',
  'newPassword.gone': 'Ya se usó, es demasiado antiguo o tu contraseña cambió desde entonces.',
  'newPassword.again': 'Obtener otro enlace',
}
