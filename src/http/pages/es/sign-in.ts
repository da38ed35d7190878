import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const signIn: Catalogue<typeof areas.signIn> = {
  'signIn.heading': 'Iniciar sesión',
  'signIn.continueTo': 'para continuar a {app}',
  'signIn.email': 'Correo electrónico',
  'signIn.password': 'Contraseña',
  'signIn.showPassword': 'Mostrar caracteres',
  'signIn.submit': 'Iniciar sesión',
  'signIn.help':
    '¿No tienes cuenta o no puedes iniciar sesión? El administrador de tu organización puede ayudarte.',
  'signIn.wrong': 'No se pudo iniciar sesión. Revisa el correo electrónico y la contraseña.',
  'signIn.incomplete': 'Escribe tu correo electrónico y tu contraseña.',
  'signIn.again': 'Inicia sesión otra vez para confirmar tu identidad.',
  'signIn.or': 'o',
  'signIn.provider': 'Iniciar sesión con tu cuenta de empresa',
  'signIn.passkey': 'Usar una llave de acceso',
  'signIn.passkeyFailed': 'La llave de acceso no funcionó. Inténtalo de nuevo o usa otro método.',
  'signIn.passkeyCancelled': 'No se usó ninguna llave de acceso. Puedes intentarlo de nuevo.',
  'signIn.providerOnly': 'El inicio de sesión con contraseña está desactivado. Usa el botón.',
  'signIn.providerAway':
    'El servicio de inicio de sesión no responde. Inténtalo de nuevo en un minuto.',
  'signIn.providerDenied':
    'Cancelaste en el servicio de inicio de sesión o este rechazó el acceso.',
  'signIn.providerNotFresh':
    'Tienes que iniciar sesión de nuevo, pero el servicio de inicio de sesión no te lo pidió. Primero cierra sesión allí y después inténtalo otra vez.',
  'signIn.providerRefused':
    'El servicio de inicio de sesión envió una respuesta no válida. Empieza de nuevo.',
  'signIn.providerUnknown':
    'Este inicio de sesión tardó demasiado, ya se usó o empezó en otro navegador. Empieza de nuevo.',
  'signIn.tooMany':
    'Demasiados intentos. Inténtalo de nuevo en {minutes, plural, one {un minuto} many {# de minutos} other {# minutos}}.',
  'refusals.disabled.heading': 'Tu cuenta está desactivada aquí',
  'refusals.disabled.message':
    'El servicio de inicio de sesión te reconoce, pero esta cuenta no puede iniciar sesión.',
  'refusals.disabled.move':
    'Solo un administrador puede volver a activarla. Envíale la referencia que aparece abajo.',
  'refusals.email_missing.heading': 'Falta tu correo electrónico',
  'refusals.email_missing.message':
    'El servicio de inicio de sesión no lo envió, y una cuenta lo necesita.',
  'refusals.email_missing.move':
    'Un administrador tiene que permitir que el servicio de inicio de sesión lo envíe.',
  'refusals.email_unverified.heading': 'Tu correo electrónico aún no está verificado',
  'refusals.email_unverified.message':
    'El servicio de inicio de sesión no ha comprobado que la dirección sea tuya.',
  'refusals.email_unverified.move': 'Verifícala allí y vuelve a iniciar sesión aquí.',
  'refusals.email_taken.heading': 'Tu correo electrónico pertenece a otra cuenta de aquí',
  'refusals.email_taken.message':
    'Solo unimos cuentas cuando es seguro que ambas son tuyas, así que no se cambió nada.',
  'refusals.email_taken.move':
    'Un administrador puede resolverlo. Envíale la referencia que aparece abajo.',
  'confirm.heading': 'Usa una llave de acceso para continuar',
  'confirm.lead': 'Para esta página hace falta algo más que una contraseña.',
  'confirm.use': 'Usar una llave de acceso',
  'confirm.noneHeading': 'Agrega una llave de acceso para continuar',
  'confirm.none':
    'Aún no tienes ninguna llave de acceso. Solo lleva un momento: tu dispositivo te pide la huella, el rostro o el PIN.',
  'confirm.add': 'Agregar una llave de acceso',
  'confirm.elsewhere':
    '¿La llave de acceso está en otro dispositivo o la perdiste? Un administrador de este servidor puede ayudarte.',
  'confirm.deny': 'No instalar',
  'confirm.home': 'Inicio',
  'signOut.heading': '¿Cerrar sesión?',
  'signOut.lead':
    'Las apps que conectaste siguen funcionando. Puedes desconectarlas en Apps conectadas.',
  'signOut.submit': 'Cerrar sesión',
  'signOut.stay': 'Mantener la sesión',
  'endSession.heading': '¿Cerrar sesión?',
  'endSession.lead': '{app} pide cerrar también tu sesión en {brand}.',
  'endSession.anonymous': 'Otro sitio pide cerrar tu sesión en {brand}.',
  'endSession.who': 'Tienes la sesión iniciada como {name}, {email}.',
  'endSession.submit': 'Cerrar sesión',
  'endSession.stay': 'Mantener la sesión',
  'signedOut.heading': 'Cerraste sesión',
  'signedOut.lead': 'En un equipo compartido, cierra también la ventana del navegador.',
  'signedOut.signIn': 'Iniciar sesión de nuevo',
  'signedOut.provider':
    'Es posible que tu sesión siga abierta en el servicio de inicio de sesión. La siguiente persona que use este navegador podría entrar sin contraseña.',
  'signedOut.signOutThere': 'Cerrar sesión allí también',
}
