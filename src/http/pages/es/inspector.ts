import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const inspector: Catalogue<typeof areas.inspector> = {
  title: 'Inspeccionar un token',
  heading: 'Tokens de {organization}',
  lead: 'Consulta qué es un token, qué puede hacer y por qué se rechaza.',
  'form.heading': '¿Qué significa este token?',
  'form.label': 'Token',
  'form.hint':
    'Un token de acceso, un token de actualización, un código o un secreto de un conjunto de claves. No se guarda, no se registra y no se consume.',
  'form.submit': 'Explicar',
  'form.empty': 'Pega primero un token.',
  'verdict.accepted.access_token': 'Se acepta ahora.',
  'verdict.accepted.self_signed': 'Se acepta ahora.',
  'verdict.accepted.secret_key': 'Se acepta ahora.',
  'verdict.accepted.refresh_token':
    'Es válido: la app puede canjearlo una vez por un token de acceso.',
  'verdict.accepted.code': 'Es válido: la app puede canjearlo una vez por tokens.',
  'verdict.refused': 'No se acepta.',
  'unknown.heading': 'Este no es un token de esta organización',
  'unknown.why':
    'Pertenece a otra organización, no se copió completo o terminó hace tanto que no queda registro.',
  'unknown.move':
    'Cópialo de nuevo completo, sin comillas. Si viene de otra organización, un administrador de allí puede inspeccionarlo.',
  'signedOtherwise.heading': 'No está firmado con un secreto del conjunto de claves',
  'signedOtherwise.why':
    'Afirma venir de {keySet}. Sin una firma válida, no se puede confiar en nada de lo que contiene.',
  'signedOtherwise.move':
    'Firma con HS256 y el texto del secreto, sin descodificar. No uses un secreto que se retiró hace mucho.',
  'facts.kind': 'Qué',
  'facts.hint': 'Termina en',
  'facts.interface': 'Interfaz',
  'facts.app': 'App',
  'facts.keySet': 'Conjunto de claves',
  'facts.actors': 'A través de',
  'facts.person': 'Para',
  'facts.itself': 'Sí misma, no una persona',
  'facts.organization': 'Organización',
  'facts.may': 'Puede',
  'facts.might': 'Podría',
  'facts.nothing': 'Nada',
  'facts.issued': 'Emitido',
  'facts.expires': 'Caduca',
  'facts.unknown': 'desconocido',
  'facts.withoutEnd': 'sin fecha propia: termina con su secreto o su autorización',
  'facts.key': 'Vinculado a una clave',
  'facts.keyNeeded': 'Solo es válido con pruebas de la clave con esta huella:',
  'kinds.user': 'Token de acceso de una app, para una persona',
  'kinds.install': 'Token de acceso de una app, para sí misma',
  'kinds.refresh_token': 'Token de actualización de una app, para una persona',
  'kinds.code': 'Código de autorización de una app, para una persona',
  'kinds.self_signed': 'Token firmado por un programa tuyo',
  'kinds.secret_key': 'Secreto de un conjunto de claves',
  'interfaces.current': 'Actual',
  'interfaces.legacy': 'Heredada',
  'reasons.actor_disabled.why':
    'El operador de este servicio desactivó una app que actúa a través de esta o invalidó sus tokens.',
  'reasons.actor_disabled.move':
    'Consulta al operador. Cuando la app se active, obtendrá un token nuevo por sí sola.',
  'reasons.actor_suspended.why': 'Un administrador suspendió una app que actúa a través de esta.',
  'reasons.actor_suspended.move': 'Reanúdala en Apps. El token se vuelve a aceptar de inmediato.',
  'reasons.actor_uninstalled.why': 'Se desinstaló una app que actúa a través de esta.',
  'reasons.actor_uninstalled.move':
    'Instálala de nuevo. Después obtendrá un token nuevo por sí sola.',
  'reasons.app_disabled.why':
    'El operador de este servicio desactivó la app o invalidó sus tokens.',
  'reasons.app_disabled.move':
    'Consulta al operador. Cuando la app se active, las personas tienen que volver a permitirla.',
  'reasons.code_expired_or_ended.why':
    'El código no se usó en un minuto o su autorización terminó.',
  'reasons.code_expired_or_ended.move': 'Empieza de nuevo desde la app.',
  'reasons.code_reused.why': 'El código ya se usó. Un código funciona una vez.',
  'reasons.code_reused.move':
    'La app tiene que conservar los tokens que obtuvo con el código. Si no obtuvo ninguno, desconéctala y empieza de nuevo.',
  'reasons.disconnected.why':
    'La persona desconectó la app o un administrador revocó su acceso para esta persona.',
  'reasons.disconnected.move':
    'Si fue un error, la persona puede volver a permitir la app, desde la app.',
  'reasons.expired.why': 'Caducó.',
  'reasons.expired.move':
    'Una app obtiene otro con su token de actualización. Un programa con un conjunto de claves firma uno nuevo.',
  'reasons.expiry_malformed.why': 'Su hora de caducidad (exp) no se puede leer.',
  'reasons.expiry_malformed.move':
    'Escríbela en segundos enteros desde 1970, no como texto ni en milisegundos.',
  'reasons.family_ended.why': 'La autorización a la que pertenece terminó.',
  'reasons.family_ended.move': 'La persona tiene que volver a permitir la app, desde la app.',
  'reasons.grant_ended.why': 'La autorización a la que pertenece terminó.',
  'reasons.grant_ended.move': 'La persona tiene que volver a permitir la app, desde la app.',
  'reasons.grant_unknown.why': 'La autorización de la que procede ya no existe.',
  'reasons.grant_unknown.move': 'La persona tiene que volver a permitir la app, desde la app.',
  'reasons.id_token.why':
    'Es un ID token: indica a una app quién inició sesión, pero no da acceso.',
  'reasons.id_token.move': 'Envía el token de acceso que llegó con él.',
  'reasons.install_suspended.why': 'Un administrador suspendió la app aquí.',
  'reasons.install_suspended.move': 'Reanúdala en Apps. El token se vuelve a aceptar de inmediato.',
  'reasons.install_unknown.why': 'La instalación de la que procede ya no existe.',
  'reasons.install_unknown.move': 'Instala la app de nuevo, desde la app.',
  'reasons.issued_at_malformed.why': 'Su hora de emisión (iat) falta o no se puede leer.',
  'reasons.issued_at_malformed.move':
    'Escríbela en segundos enteros desde 1970, no como texto ni en milisegundos.',
  'reasons.issued_in_the_future.why': 'Su hora de emisión (iat) está en el futuro.',
  'reasons.issued_in_the_future.move': 'Corrige el reloj del programa que firma.',
  'reasons.issuer_malformed.why': 'Su emisor (iss) falta o no se puede leer.',
  'reasons.issuer_malformed.move': 'Pon en iss el Client ID del conjunto de claves.',
  'reasons.key_set_unknown.why': 'Ningún conjunto de claves tiene el Client ID de iss.',
  'reasons.key_set_unknown.move':
    'Pon en iss el Client ID de un conjunto de claves para la interfaz actual, exactamente como se muestra.',
  'reasons.moved.why': 'La app lo canjeó por una autorización de su versión actual.',
  'reasons.moved.move':
    'La app tiene que usar el token que obtuvo a cambio. Enviar este otra vez revoca toda la autorización.',
  'reasons.not_yet_valid.why': 'Aún no es válido (nbf).',
  'reasons.not_yet_valid.move': 'Espera u omite nbf. Corrige el reloj del programa que firma.',
  'reasons.other_audience.why': 'Es para otra API (aud).',
  'reasons.other_audience.move': 'Úsalo allí. En un token propio, omite aud.',
  'reasons.other_issuer.why': 'Se emitió con otra dirección de este servicio.',
  'reasons.other_issuer.move': 'Haz que la app obtenga uno nuevo aquí.',
  'reasons.password_changed.why':
    'La persona cambió la contraseña, y eso revoca las autorizaciones anteriores.',
  'reasons.password_changed.move': 'La persona tiene que volver a permitir la app, desde la app.',
  'reasons.permissions_malformed.why': 'Sus permisos no son una lista de nombres.',
  'reasons.permissions_malformed.move': 'Escríbelos como una lista u omítelos para solo leer.',
  'reasons.refresh_token_reused.why':
    'El token de actualización ya se usó. Cada uno funciona una vez.',
  'reasons.refresh_token_reused.move':
    'La app tiene que usar el más reciente que obtuvo. Enviar este otra vez revoca toda la autorización.',
  'reasons.reuse_detected.why':
    'Un código o token de actualización de esta autorización se usó dos veces. Puede ser robado, así que se revocó toda la autorización.',
  'reasons.reuse_detected.move':
    'Averigua si la app envía un token de actualización dos veces o si alguien robó uno. Después, la persona vuelve a permitir la app.',
  'reasons.revoked.why': 'La app revocó su autorización.',
  'reasons.revoked.move': 'La persona tiene que volver a permitir la app, desde la app.',
  'reasons.secret_of_current_key_set.why':
    'Este es el propio Client Secret. Firma tokens y nunca se envía.',
  'reasons.secret_of_current_key_set.move':
    'Firma un JWT con él y envía el JWT. Si el secreto se envió a alguien, rota el conjunto de claves.',
  'reasons.secret_retired.why': 'El secreto con el que se firmó se retiró.',
  'reasons.secret_retired.move':
    'Haz que el programa use el secreto activo. Si se perdió, rota el conjunto de claves.',
  'reasons.secret_unknown.why': 'Ningún conjunto de claves tiene este secreto.',
  'reasons.secret_unknown.move':
    'Se retiró hace mucho, pertenece a otra organización o no se copió completo.',
  'reasons.signature_invalid.why':
    'La firma es incorrecta: el token se modificó o se firmó con otro secreto.',
  'reasons.signature_invalid.move':
    'Firma con HS256 y el texto del secreto, sin descodificar. No uses un secreto que se retiró hace mucho.',
  'reasons.superseded.why':
    'La app tiene muchas autorizaciones más recientes de esta persona. Las más antiguas terminan.',
  'reasons.superseded.move':
    'La app tiene que conservar y renovar sus tokens en lugar de pedirlos cada vez.',
  'reasons.token_revoked.why': 'La app revocó este token.',
  'reasons.token_revoked.move': 'La app puede obtener otro.',
  'reasons.uninstalled.why': 'La app se desinstaló aquí.',
  'reasons.uninstalled.move':
    'Para volver a usarla, un administrador tiene que instalarla y cada persona tiene que permitirla de nuevo.',
  'reasons.unreadable.why': 'Este servicio no puede haberlo emitido.',
  'reasons.unreadable.move': 'Cópialo de nuevo completo, sin comillas.',
  'reasons.user_disabled.why': 'La cuenta de la persona se desactivó.',
  'reasons.user_disabled.move': 'Solo el operador puede volver a activarla.',
  'reasons.user_left.why': 'La persona ya no es miembro de la organización.',
  'reasons.user_left.move':
    'Agrega de nuevo a la persona. Después tiene que volver a permitir la app.',
  'reasons.workspace_ids_malformed.why':
    'Sus espacios de trabajo (workspace_ids) no son una lista de ID.',
  'reasons.workspace_ids_malformed.move':
    'Escríbelos como una lista u omítelos para incluir todos.',
  'simulation.heading': '¿Qué obtendría una app?',
  'simulation.lead': 'No se emite ningún token y no se pregunta a nadie.',
  'simulation.app': 'App',
  'simulation.chooseApp': 'Elige una app',
  'simulation.person': 'Para',
  'simulation.itself': 'Sí misma, no una persona',
  'simulation.submit': 'Mostrar',
  'simulation.missing': 'Elige una app y un miembro de la organización.',
  'simulation.none': 'Aquí nunca se instaló ninguna app.',
  'simulation.result':
    '{person, select, none {Qué obtendría {app} para sí misma} other {Qué obtendría {app} para {person}}}',
  'simulation.granted': 'Obtendría un token.',
  'simulation.refused': 'No obtendría ningún token.',
  'simulation.asksAgain':
    'La app pide más de lo que ha visto la persona, así que se le pregunta de nuevo la próxima vez.',
  'simulation.permissions': 'Permisos',
  'simulation.workspaces': 'Espacios de trabajo',
  'simulation.noWorkspace': 'No hay espacios de trabajo.',
  'simulation.permission': 'Permiso',
  'simulation.workspace': 'Espacio de trabajo',
  'simulation.because': 'Motivo',
  'simulation.yes': 'sí',
  'simulation.no': 'no',
  'simulation.given': 'En el token',
  'simulation.obstacles.app_disabled': 'El operador de este servicio desactivó la app.',
  'simulation.obstacles.legacy_interface':
    'Las apps de la interfaz heredada nunca actúan por sí mismas.',
  'simulation.obstacles.public_client':
    'Una app que funciona en los dispositivos de las personas nunca actúa por sí misma.',
  'simulation.obstacles.user_disabled': 'La cuenta de la persona se desactivó.',
  'simulation.obstacles.user_left': 'La persona no es miembro de la organización.',
  'simulation.obstacles.not_installed': 'La app no está instalada aquí.',
  'simulation.obstacles.install_suspended': 'Un administrador suspendió la app aquí.',
  'simulation.obstacles.consent_missing':
    'La persona aún no ha permitido la app y se le preguntaría.',
  'simulation.obstacles.malformed':
    'El scope o los espacios de trabajo solicitados no se pueden leer.',
  'simulation.obstacles.openid_missing': 'Pide un nombre o un correo electrónico sin openid.',
  'simulation.obstacles.openid_not_allowed':
    'Pide la identidad de la persona, pero no está registrada para eso.',
  'simulation.obstacles.openid_not_approved':
    'Pide más datos personales de los que permitió la persona.',
  'simulation.obstacles.unknown_permission': 'Pide un permiso que no existe.',
  'simulation.obstacles.permission_not_approved': 'Pide un permiso que no se ha aprobado.',
  'simulation.obstacles.workspace_not_approved':
    'Pide un espacio de trabajo que no se ha aprobado.',
  'simulation.causes.granted': 'aprobado',
  'simulation.causes.not_asked_by_app': 'la app nunca lo pide',
  'simulation.causes.not_installed': 'la app no está instalada aquí',
  'simulation.causes.not_approved_by_admin': 'ningún administrador lo ha aprobado',
  'simulation.causes.consent_missing': 'aún no se preguntó a la persona',
  'simulation.causes.withheld_by_user': 'la persona no lo ha permitido',
  'simulation.causes.left_out_by_request': 'la solicitud lo omite',
  'simulation.causes.not_a_member': 'la persona no está en este espacio de trabajo',
}
