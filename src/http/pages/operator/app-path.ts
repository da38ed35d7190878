import type { AppKind } from '../../../core/clients/app-settings.ts'
import { home } from './console-page.ts'

export interface AppJson {
  client_id: string
  name: string
  interface: 'current' | 'legacy'
  client_type: 'confidential' | 'public'
  redirect_uris: string[]
  permissions: string[]
  description: string | null
  logo_uri: string | null
  homepage_uri: string | null
  policy_uri: string | null
  tos_uri: string | null
  location: string | null
  kind: AppKind | null
  setup_uri: string | null
  publisher: string | null
  owners: string[]
  openid: boolean
  reviewed: boolean
  listed: boolean
  disabled: boolean
  created_at: string
  updated_at: string
}

/** The address of the page of an app. */
export const appUrl = (clientId: string) => `${home}/apps/${encodeURIComponent(clientId)}`

/** Its path in the Operator API. */
export const apiPathOf = (clientId: string) => `/apps/${encodeURIComponent(clientId)}`
