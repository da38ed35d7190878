import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const errors: Catalogue<typeof areas.errors> = {
  'error.reference': 'Referencia',
  'error.forDevelopers': 'Para el desarrollador de la app',
  'error.code': 'Error',
  'error.description': 'Descripción',
  'error.explained': 'Qué significa cada error',
  'error.home': 'Inicio',
  'error.signIn': 'Iniciar sesión',
  'error.tryAgain': 'Intentar de nuevo',
  'error.loadAgain': 'Volver a cargar la página',
  'error.request.heading': 'Esta app envió una solicitud no válida',
  'error.request.message':
    'El enlace de la app está incompleto o es incorrecto, así que no se compartió nada.',
  'error.request.move':
    'Solo el desarrollador de la app puede corregirlo. Envíale la referencia que aparece abajo.',
  'error.unknownApp.heading': 'Esta app es desconocida aquí',
  'error.unknownApp.message':
    'El ID de app de la solicitud no está registrado, así que no se compartió nada.',
  'error.unknownApp.move':
    'Vuelve a la app y avisa a su desarrollador, con la referencia que aparece abajo.',
  'error.unreviewedApp.heading': 'Esta app no se ha revisado aquí',
  'error.unreviewedApp.message':
    'La app no está registrada en este servicio, así que no se compartió nada.',
  'error.unreviewedApp.move':
    'Pide a un administrador de tu organización o al operador de este servicio que permita la app. Envíale la referencia que aparece abajo.',
  'error.waitingApp.heading': 'Esta app está pendiente de revisión',
  'error.waitingApp.message':
    'El operador de este servicio debe revisar la app primero. No se compartió nada.',
  'error.waitingApp.move':
    'Inténtalo más tarde. Si es urgente, consulta al operador de este servicio, con la referencia que aparece abajo.',
  'error.unreadableApp.heading': 'No pudimos leer la descripción de esta app',
  'error.unreadableApp.message':
    'Lo que la app publica sobre sí misma falta o incumple una regla, así que no se compartió nada.',
  'error.unreadableApp.move':
    'Inténtalo más tarde. Si vuelve a ocurrir, avisa al desarrollador de la app, con la referencia que aparece abajo.',
  'error.redirectUri.heading': 'Esta app quiere enviarte a una dirección no registrada',
  'error.redirectUri.message': 'Nos detuvimos aquí para proteger tu cuenta. No se compartió nada.',
  'error.redirectUri.move':
    'El desarrollador de la app tiene que registrar la dirección o corregir el enlace.',
  'error.redirectUriOnDevice.heading': 'Este programa vuelve a una dirección no registrada',
  'error.redirectUriOnDevice.message':
    'Un programa de este equipo pide acceso, pero su dirección no está registrada. No se compartió nada.',
  'error.redirectUriOnDevice.move':
    'Pide al operador que la registre para esta app: http://localhost o http://127.0.0.1, tal como la escribe el programa y con la misma ruta. Una app sin secreto puede usar entonces cualquier puerto.',
  'error.installLink.heading': 'Este enlace de instalación está incompleto',
  'error.installLink.message': 'No se instaló ni se compartió nada.',
  'error.installLink.move':
    'Vuelve a la app y empieza de nuevo. Si ocurre dos veces, envía a su desarrollador la referencia que aparece abajo.',
  'error.installLinkPermissions.heading': 'Este enlace de instalación pide permisos desconocidos',
  'error.installLinkPermissions.message':
    'La app no está registrada para un permiso del enlace. No se instaló nada.',
  'error.installLinkPermissions.move':
    'Avisa al desarrollador de la app, con la referencia que aparece abajo.',
  'error.otherOrganization': 'Elegir otra organización',
  'error.suspended.heading': 'Esta app está suspendida aquí',
  'error.suspended.message':
    'Un administrador de la organización suspendió la app, así que ahora no obtiene acceso.',
  'error.suspended.move': 'Consulta a un administrador de la organización.',
  'error.appsClosed.heading': 'Esta app no está instalada',
  'error.appsClosed.message':
    'Los miembros de esta organización solo pueden conectar apps instaladas.',
  'error.appsClosed.move': 'Un administrador de la organización puede instalar la app.',
  'error.outOfReach.heading': 'No puedes dar a esta app lo que pide',
  'error.outOfReach.message':
    'Pide un espacio de trabajo al que no perteneces o que no está aprobado para ella, o una API que no está disponible para esta organización. No se compartió nada, y el código sigue siendo válido.',
  'error.outOfReach.move': 'Una persona con acceso puede escribir el código. O usa otra cuenta.',
  'error.expired.heading': 'Esto tardó demasiado',
  'error.expired.message': 'La solicitud de la app caducó o ya se respondió.',
  'error.expired.move': 'Vuelve a la app y empieza de nuevo desde allí.',
  'error.answered.heading': 'Ya respondiste a esto',
  'error.answered.message': 'Cuenta tu primera respuesta. No se cambió nada.',
  'error.answered.move': 'Si no volviste a la app, continúa aquí.',
  'error.answered.goOn': 'Continuar',
  'error.form.heading': 'No se pudo aceptar este formulario',
  'error.form.message':
    'Tu sesión se cerró o cambió desde que se cargó la página, o el formulario se envió desde otro sitio. No se cambió nada.',
  'error.form.move': 'Vuelve a cargar la página y repite el paso.',
  'error.notFound.heading': 'Página no encontrada',
  'error.notFound.message': 'La página no existe o no puedes verla.',
  'error.notFound.move': 'Revisa la dirección o usa otra cuenta.',
  'error.wrongMethod.heading': 'Esta página no acepta la solicitud',
  'error.wrongMethod.message':
    'La página existe, pero no acepta este tipo de solicitud. No se cambió nada.',
  'error.wrongMethod.move': 'Abre la página desde su enlace o su formulario.',
  'error.noDocument.heading': 'Página no encontrada',
  'error.noDocument.message': 'La documentación no tiene ninguna página en esta dirección.',
  'error.noDocument.move': 'Puede tener otro nombre. La primera página enlaza a todas las demás.',
  'error.noDocument.start': 'Documentación',
  'error.tooMany.heading': 'Demasiados intentos',
  'error.tooMany.message': 'Enviaste demasiadas solicitudes en poco tiempo. No se cambió nada.',
  'error.tooMany.move':
    'Inténtalo de nuevo en {minutes, plural, one {un minuto} many {# de minutos} other {# minutos}}.',
  'error.tooManyHere.heading': 'Demasiadas solicitudes desde tu red',
  'error.tooManyHere.message':
    'Hay demasiadas solicitudes de acceso desde tu red pendientes de respuesta.',
  'error.tooManyHere.move':
    'Inicia sesión primero y empieza de nuevo desde la app, para que solo cuenten tus propias solicitudes. O espera {minutes, plural, one {un minuto} many {# de minutos} other {# minutos}}.',
  'error.unavailable.heading': 'No podemos responder en este momento',
  'error.unavailable.message': 'Una parte de este servicio no está disponible. No se cambió nada.',
  'error.unavailable.move': 'Tenemos que repararlo. Inténtalo de nuevo en un minuto.',
  'error.server.heading': 'Algo falló por nuestra parte',
  'error.server.message': 'El paso no se completó.',
  'error.server.move':
    'Inténtalo de nuevo. Si ocurre dos veces, envíanos la referencia que aparece abajo.',
}
