import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const device: Catalogue<typeof areas.device> = {
  'device.heading': 'Connecter un appareil',
  'device.lead':
    'Saisissez le code affiché par votre appareil ou votre programme. Vous verrez ensuite quelle application demande l’accès.',
  'device.label': 'Code',
  'device.hint': 'Huit lettres, par exemple BCDF-GHJK. Le tiret ne compte pas.',
  'device.compare': 'Ne continuez que si votre propre appareil affiche exactement ce code.',
  'device.warningTitle': 'Ne continuez que si vous avez lancé cette demande vous-même',
  'device.warning':
    'Si une autre personne vous a envoyé ce code ou ce lien, fermez cette page. Son appareil obtiendrait un accès comme s’il s’agissait de vous. Nous ne demandons jamais de code par téléphone, e-mail ou chat.',
  'device.submit': 'Continuer',
  'device.unknown':
    'Ce code n’est pas valide. Vérifiez les lettres. Un code fonctionne une fois, pendant dix minutes.',
  'device.malformed':
    'Ce n’est pas un code d’appareil. Il comporte huit lettres, par exemple BCDF-GHJK.',
  'device.shows': 'Cette demande a été lancée sur un autre appareil. Il affiche le code :',
  'device.started':
    'Lancée {minutes, plural, =0 {à l’instant} one {il y a # minute} other {il y a # minutes}} depuis {address}{device, select, none {.} other {, par {device}.}}',
  'device.doubt':
    'Ne continuez que si vous avez lancé cette demande vous-même. C’est cet appareil qui obtient l’accès, pas ce navigateur.',
  'device.returns': 'Après votre réponse, continuez sur votre appareil.',
  'device.approved.heading': 'L’appareil est connecté',
  'device.approved.message':
    'Retournez à votre appareil. Il continuera tout seul dans quelques secondes. Vous pouvez fermer cette page.',
  'device.denied.heading': 'Accès refusé',
  'device.denied.message': 'L’appareil n’obtient aucun accès. Vous pouvez fermer cette page.',
  'device.late.heading': 'Ce code n’est plus valide',
  'device.late.message':
    'Le code a expiré ou a déjà reçu une réponse. Recommencez sur votre appareil avec un nouveau code.',
}
