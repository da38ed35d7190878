import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationDirectory: Catalogue<typeof areas.organizationDirectory> = {
  'directory.title': 'Apps que você pode instalar',
  'directory.heading': 'Apps que você pode instalar em {organization}',
  'directory.lead': 'Escolhidos pelo operador deste serviço.',
  'directory.memberLead': 'Escolhidos pelo operador deste serviço. Um admin decide sobre cada um.',
  'directory.installedApps': 'Apps instalados',
  'directory.find': 'App',
  'directory.findSubmit': 'Buscar',
  'directory.findAll': 'Mostrar todos',
  'directory.nothingFoundHeading': 'Nenhum app encontrado',
  'directory.nothingFound': 'Nenhum app aqui tem “{name}” no nome.',
  'directory.emptyHeading': 'Nenhum app listado',
  'directory.empty':
    'O operador ainda não listou nenhum app. Você pode instalar um app a partir do próprio app.',
  'directory.by': 'por {publisher}',
  'directory.site': 'Site',
  'directory.install': 'Instalar',
  'directory.request': 'Pedir a um admin',
  'directory.requested': 'Você já pediu',
  'directory.see': 'Ver sua solicitação',
  'directory.installed': 'Instalado',
  'directory.suspended': 'Suspenso',
}
