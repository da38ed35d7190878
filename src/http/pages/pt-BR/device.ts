import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const device: Catalogue<typeof areas.device> = {
  'device.heading': 'Conectar um dispositivo',
  'device.lead':
    'Digite o código que seu dispositivo ou programa mostra. Depois você verá qual app pede acesso.',
  'device.label': 'Código',
  'device.hint': 'Oito letras, como BCDF-GHJK. O hífen não importa.',
  'device.compare': 'Continue somente se seu próprio dispositivo mostrar exatamente este código.',
  'device.warningTitle': 'Continue somente se foi você quem iniciou isto',
  'device.warning':
    'Se outra pessoa enviou este código ou link a você, feche esta página. O dispositivo dela teria acesso como se fosse você. Nunca pedimos um código por telefone, e-mail ou chat.',
  'device.submit': 'Continuar',
  'device.unknown':
    'Este código não é válido. Confira as letras. Um código funciona uma vez, por dez minutos.',
  'device.malformed': 'Isto não é um código de dispositivo. Ele tem oito letras, como BCDF-GHJK.',
  'device.shows': 'Isto foi iniciado em outro dispositivo. Ele mostra o código:',
  'device.started':
    'Iniciado {minutes, plural, =0 {agora mesmo} one {há # minuto} other {há # minutos}} a partir de {address}{device, select, none {.} other {, por {device}.}}',
  'device.doubt':
    'Continue somente se foi você quem iniciou isto. O acesso vai para aquele dispositivo, não para este navegador.',
  'device.returns': 'Depois da sua resposta, continue no seu dispositivo.',
  'device.approved.heading': 'O dispositivo está conectado',
  'device.approved.message':
    'Volte ao seu dispositivo. Ele continua sozinho em alguns segundos. Você pode fechar esta página.',
  'device.denied.heading': 'Acesso negado',
  'device.denied.message': 'O dispositivo não recebe acesso. Você pode fechar esta página.',
  'device.late.heading': 'Este código não é mais válido',
  'device.late.message':
    'O código expirou ou já foi respondido. Comece de novo no seu dispositivo com um novo código.',
}
