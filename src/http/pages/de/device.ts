import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const device: Catalogue<typeof areas.device> = {
  'device.heading': 'Gerät verbinden',
  'device.lead':
    'Geben Sie den Code ein, den Ihr Gerät oder Programm anzeigt. Dann sehen Sie, welche App um Zugriff bittet.',
  'device.label': 'Code',
  'device.hint': 'Acht Buchstaben, zum Beispiel BCDF-GHJK. Der Bindestrich spielt keine Rolle.',
  'device.compare': 'Fahren Sie nur fort, wenn Ihr eigenes Gerät genau diesen Code anzeigt.',
  'device.warningTitle': 'Fahren Sie nur fort, wenn Sie das selbst gestartet haben',
  'device.warning':
    'Wenn Ihnen eine andere Person diesen Code oder Link geschickt hat, schließen Sie diese Seite. Das Gerät dieser Person bekäme Zugriff, als wären Sie es selbst. Wir fragen nie per Telefon, E-Mail oder Chat nach einem Code.',
  'device.submit': 'Weiter',
  'device.unknown':
    'Dieser Code ist nicht gültig. Prüfen Sie die Buchstaben. Ein Code gilt einmal und zehn Minuten lang.',
  'device.malformed': 'Das ist kein Gerätecode. Er hat acht Buchstaben, zum Beispiel BCDF-GHJK.',
  'device.shows': 'Das wurde auf einem anderen Gerät gestartet. Es zeigt den Code:',
  'device.started':
    '{minutes, plural, =0 {Gerade eben} one {Vor einer Minute} other {Vor # Minuten}} gestartet, von {address} aus{device, select, none {.} other {, mit {device}.}}',
  'device.doubt':
    'Fahren Sie nur fort, wenn Sie das selbst gestartet haben. Den Zugriff erhält das Gerät, nicht dieser Browser.',
  'device.returns': 'Machen Sie nach Ihrer Antwort auf Ihrem Gerät weiter.',
  'device.approved.heading': 'Das Gerät ist verbunden',
  'device.approved.message':
    'Gehen Sie zurück zu Ihrem Gerät. In einigen Sekunden geht es dort von selbst weiter. Sie können diese Seite schließen.',
  'device.denied.heading': 'Zugriff abgelehnt',
  'device.denied.message': 'Das Gerät erhält keinen Zugriff. Sie können diese Seite schließen.',
  'device.late.heading': 'Dieser Code gilt nicht mehr',
  'device.late.message':
    'Der Code ist abgelaufen oder wurde schon beantwortet. Beginnen Sie auf Ihrem Gerät mit einem neuen Code.',
}
