import type { AccountTab } from '../rendering/account-view-models.ts'
import { text } from '../rendering/text.ts'
import type { SignInWays } from '../sign-in/sign-in-page.ts'

const paths = {
  apps: '/account/apps',
  sessions: '/account/sessions',
  passkeys: '/account/passkeys',
  password: '/account/password',
} as const

/** Tabs of the account pages that this server offers. */
export const accountTabs = (current: keyof typeof paths, ways: SignInWays): AccountTab[] => {
  const names = (['apps', 'sessions', 'passkeys', 'password'] as const).filter((name) => {
    if (name === current || name === 'apps' || name === 'sessions') return true
    return ways[name === 'passkeys' ? 'passkey' : name]
  })
  return names.map((name) => ({
    label: text.accountTabs[name],
    href: paths[name],
    isCurrent: name === current,
  }))
}
