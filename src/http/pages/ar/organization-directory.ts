import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationDirectory: Catalogue<typeof areas.organizationDirectory> = {
  'directory.title': 'التطبيقات التي يمكنك تثبيتها',
  'directory.heading': 'التطبيقات التي يمكنك تثبيتها في {organization}',
  'directory.lead': 'من اختيار مشغّل هذه الخدمة.',
  'directory.memberLead': 'من اختيار مشغّل هذه الخدمة. ويقرر مسؤول بشأن كل منها.',
  'directory.installedApps': 'التطبيقات المثبَّتة',
  'directory.find': 'التطبيق',
  'directory.findSubmit': 'بحث',
  'directory.findAll': 'عرض الكل',
  'directory.nothingFoundHeading': 'لم يُعثر على تطبيقات',
  'directory.nothingFound': 'لا يوجد هنا تطبيق يحتوي اسمه على «{name}».',
  'directory.emptyHeading': 'لا توجد تطبيقات مدرجة',
  'directory.empty': 'لم يدرج المشغّل أي تطبيق بعد. يمكنك تثبيت تطبيق من التطبيق نفسه.',
  'directory.by': 'من {publisher}',
  'directory.site': 'الموقع الإلكتروني',
  'directory.install': 'تثبيت',
  'directory.request': 'طلب موافقة مسؤول',
  'directory.requested': 'لقد طلبته',
  'directory.see': 'عرض طلبك',
  'directory.installed': 'مثبَّت',
  'directory.suspended': 'معلّق',
}
