import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const passwordLinks: Catalogue<typeof areas.passwordLinks> = {
  'forgotten.back': 'تسجيل الدخول',
  'newPassword.title': 'كلمة المرور الجديدة',
  'newPassword.password': 'كلمة المرور الجديدة',
  'newPassword.signIn': 'تسجيل الدخول',
}
