import type { SignInWays } from './sign-in-page.ts'
import { text } from './text.ts'
import type { AccountTab } from './view-models.ts'

const paths = {
  apps: '/account/apps',
  passkeys: '/account/passkeys',
  password: '/account/password',
} as const

/** The pages of one's own account, as far as this server has them. */
export const accountTabs = (current: keyof typeof paths, ways: SignInWays): AccountTab[] => {
  const names = (['apps', 'passkeys', 'password'] as const).filter(
    (name) => name === current || name === 'apps' || ways[name === 'passkeys' ? 'passkey' : name],
  )
  return names.map((name) => ({
    label: text.accountTabs[name],
    href: paths[name],
    isCurrent: name === current,
  }))
}
