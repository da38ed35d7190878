import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationDirectory: Catalogue<typeof areas.organizationDirectory> = {
  'directory.title': 'Apps que puedes instalar',
  'directory.heading': 'Apps que puedes instalar en {organization}',
  'directory.lead': 'Elegidas por el operador de este servicio.',
  'directory.memberLead':
    'Elegidas por el operador de este servicio. Un administrador decide sobre cada una.',
  'directory.installedApps': 'Apps instaladas',
  'directory.find': 'App',
  'directory.findSubmit': 'Buscar',
  'directory.findAll': 'Mostrar todo',
  'directory.nothingFoundHeading': 'No se encontraron apps',
  'directory.nothingFound': 'Ninguna app de aquí tiene “{name}” en su nombre.',
  'directory.emptyHeading': 'No hay apps en la lista',
  'directory.empty':
    'El operador aún no ha incluido ninguna app. Puedes instalar una app desde la propia app.',
  'directory.by': 'de {publisher}',
  'directory.site': 'Sitio web',
  'directory.install': 'Instalar',
  'directory.request': 'Pedirla a un administrador',
  'directory.requested': 'Ya la pediste',
  'directory.see': 'Ver tu solicitud',
  'directory.installed': 'Instalada',
  'directory.suspended': 'Suspendida',
}
