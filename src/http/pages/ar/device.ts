import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const device: Catalogue<typeof areas.device> = {
  'device.heading': 'ربط جهاز',
  'device.lead': 'أدخل الرمز الذي يعرضه جهازك أو برنامجك. بعدها ترى أي تطبيق يطلب الوصول.',
  'device.label': 'الرمز',
  'device.hint': 'ثمانية أحرف، مثل BCDF-GHJK. الشرطة غير ضرورية.',
  'device.compare': 'لا تتابع إلا إذا كان جهازك يعرض هذا الرمز نفسه تمامًا.',
  'device.warningTitle': 'لا تتابع إلا إذا بدأت هذا بنفسك',
  'device.warning':
    'إذا أرسل إليك شخص آخر هذا الرمز أو الرابط، فأغلق هذه الصفحة. سيحصل جهازه على الوصول كما لو كان أنت. لا نطلب رمزًا أبدًا عبر الهاتف أو البريد أو الدردشة.',
  'device.submit': 'متابعة',
  'device.unknown': 'هذا الرمز غير صالح. تحقق من الأحرف. يعمل الرمز مرة واحدة خلال عشر دقائق.',
  'device.malformed': 'هذا ليس رمز جهاز. يتكون الرمز من ثمانية أحرف، مثل BCDF-GHJK.',
  'device.shows': 'بدأ هذا على جهاز آخر. وهو يعرض الرمز:',
  'device.started':
    '{minutes, plural, =0 {بدأ الآن} one {بدأ قبل دقيقة} two {بدأ قبل دقيقتين} few {بدأ قبل # دقائق} many {بدأ قبل # دقيقة} other {بدأ قبل # دقيقة}} من {address}{device, select, none {.} other {، بواسطة {device}.}}',
  'device.doubt': 'لا تتابع إلا إذا بدأت هذا بنفسك. يحصل ذلك الجهاز على الوصول، لا هذا المتصفح.',
  'device.returns': 'بعد ردّك، تابع على جهازك.',
  'device.approved.heading': 'تم ربط الجهاز',
  'device.approved.message': 'عد إلى جهازك. سيتابع تلقائيًا خلال بضع ثوانٍ. يمكنك إغلاق هذه الصفحة.',
  'device.denied.heading': 'تم رفض الوصول',
  'device.denied.message': 'لن يحصل الجهاز على الوصول. يمكنك إغلاق هذه الصفحة.',
  'device.late.heading': 'لم يعد هذا الرمز صالحًا',
  'device.late.message': 'انتهت صلاحية الرمز أو سبق الرد عليه. ابدأ من جديد على جهازك برمز جديد.',
}
