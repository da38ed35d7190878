/** The languages of pages and mails, as tags (BCP 47), each with its own name. English is first. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  ar: 'العربية',
} as const

export type Language = keyof typeof languageNames

export const languages = Object.keys(languageNames) as readonly Language[]

export const isLanguage = (value: unknown): value is Language =>
  (languages as readonly unknown[]).includes(value)
