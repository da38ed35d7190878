import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const steps: Catalogue<typeof areas.steps> = {
  'chooseOrganization.heading': '¿Dónde quieres usar {app}?',
  'chooseOrganization.legend': 'Tus organizaciones',
  'chooseOrganization.unavailable':
    'La app indicó una organización que no puedes usar. Elige una de las tuyas.',
  'chooseOrganization.roles.admin': 'Tu rol: administrador',
  'chooseOrganization.roles.member': 'Tu rol: miembro',
  'chooseOrganization.installed': 'app instalada',
  'chooseOrganization.notInstalled': 'app aún no instalada',
  'chooseOrganization.submit': 'Continuar',
  'chooseOrganization.deny': 'Rechazar',
  'chooseOrganization.chooseOne': 'Elige una organización.',
  'chooseOrganization.noneHeading': 'Aún no perteneces a ninguna organización',
  'chooseOrganization.none': '{app} trabaja con los datos de una organización.',
  'chooseOrganization.noneMove':
    'Pide a un administrador que agregue esta cuenta o inicia sesión con la cuenta que ya conoce.',
  'chooseOrganization.signInAsOther': 'Usar otra cuenta',
  'install.heading': '¿Instalar {app} en {organization}?',
  'install.lead': 'Ningún miembro puede dar a la app más de lo que apruebes ahora.',
  'install.identity':
    '{name, select, true {{email, select, true {También pide a cada persona, al darle acceso, que comparta su identidad, con su nombre y su correo electrónico.} other {También pide a cada persona, al darle acceso, que comparta su identidad, con su nombre.}}} other {{email, select, true {También pide a cada persona, al darle acceso, que comparta su identidad, con su correo electrónico.} other {También pide a cada persona, al darle acceso, que comparta su identidad.}}}}',
  'install.approve': 'Instalar',
  'install.deny': 'Cancelar',
  'installLink.stays': 'Después verás las apps de la organización.',
  'installLink.back': 'Volver al directorio',
  'installed.heading': '{app} ya está instalada en {organization}',
  'installed.since': 'Instalada el {on}. Nada cambia.',
  'installed.lead': 'Continúa para configurar {app} en esta organización.',
  'installed.submit': 'Continuar',
  'installed.deny': 'Cancelar',
  'installed.member': 'Solo un administrador puede configurarla. Pide a uno que abra el enlace.',
  'askAdmin.heading': '¿Pedir a un administrador que instale {app} en {organization}?',
  'askAdmin.who':
    '{admins, select, none {Solo un administrador de la organización puede instalarla.} other {Solo un administrador puede instalarla: {admins}.}}',
  'askAdmin.connectHeading':
    '¿Pedir a un administrador que te permita usar {app} en {organization}?',
  'askAdmin.connectWho':
    'En esta organización, un administrador aprueba a cada persona antes de que use una app.',
  'askAdmin.expired':
    'Ningún administrador respondió a tu solicitud antes del {on}. Puedes volver a pedirla.',
  'askAdmin.anotherAdmin': 'otro administrador',
  'askAdmin.refused': 'Tu solicitud se rechazó el {on}. Puedes volver a pedirla.',
  'askAdmin.withdrawn': 'Retiraste tu solicitud el {on}. Puedes volver a pedirla.',
  'askAdmin.reason': '¿Para qué la necesitas?',
  'askAdmin.optional': 'opcional',
  'askAdmin.reasonHint':
    'Los administradores verán esto junto con tu nombre y tu correo electrónico.',
  'askAdmin.request': 'Pedirla a un administrador',
  'askAdmin.again': 'Pedir de nuevo',
  'requestSent.heading': 'Tu solicitud está en manos de los administradores',
  'requestSent.lead': 'Pediste que se instale {app} en {organization}.',
  'requestSent.seen':
    '{admins, select, none {Un administrador la verá en las apps de la organización.} other {La solicitud aparecerá en las apps de la organización para: {admins}.}}',
  'requestSent.told':
    '{admins, select, none {Avisamos a los administradores.} other {Avisamos a: {admins}.}} Recibirás un correo cuando decidan.',
  'requestSent.connectLead': 'Pediste usar {app} en {organization}.',
  'requestSent.link': 'Enlace para un administrador',
  'requestSent.linkHint': 'Envíalo a un administrador de la organización. Abre la solicitud.',
  'requestSent.tryAgain': 'Comprobar de nuevo',
  'requestSent.asked': 'La pediste el {on}. Si ya no necesitas la app, retira la solicitud.',
  'requestSent.withdraw': 'Retirar la solicitud',
  'consent.heading': '¿Permitir que {app} use {organization} con tu cuenta?',
  'consent.apis': 'Pide acceso a {apis}.',
  'consent.ownApi': 'la API de esta plataforma',
  'consent.withheld':
    'También pide esto, que los administradores de {organization} no han aprobado: {permissions}. Un administrador puede aprobarlo en «Apps». Después, vuelve a empezar en la app.',
  'consent.approve': 'Permitir',
  'consent.deny': 'Rechazar',
  'backToApp.heading': 'Volver a la app',
  'backToApp.lead': 'Tu respuesta está lista. La app la recibe en cuanto continúes.',
  'backToApp.submit': 'Continuar',
  'backToApp.close': 'Tu respuesta está lista. Puedes cerrar esta ventana.',
}
