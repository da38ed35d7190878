// Install codes: an admin has installed an app from a link, and the app learns where (decision 0085).
import { randomUUID } from 'node:crypto'
import { type AuditTrail, auditEvent } from '../audit/audit.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { about, invalidGrant, invalidRequest, unauthorizedClient } from '../language/errors.ts'
import type { RecordStore } from '../limits/records.ts'
import type { InstallKey } from '../organizations/install.ts'
import { codeLifetime } from './code-lifetime.ts'
import type { RedeemInstall } from './install-token.ts'
import type { GrantStore, WithInstall } from './store.ts'
import { decodeInstallCode, encodeInstallCode } from './token-format.ts'
import type { GrantType } from './token-request.ts'

/** The install that an admin (`userId`) has made or confirmed. */
export type LinkedInstall = InstallKey & Record<'installId' | 'userId', string>

export interface StoredCode {
  install: LinkedInstall
  isRedeemed: boolean
}

const collection = 'install_code'

const recordOf = (install: LinkedInstall, state: 'open' | 'redeemed') => ({
  state,
  value: JSON.stringify(install),
})

/**
 * A code is a record that changes once, from open to redeemed. It stays for its lifetime, so that a replay is recognised.
 * A replay ends nothing: the code gives no more than the app gets with `client_credentials`, and no other client can
 * present it.
 */
export const createInstallCodes = (deps: {
  store: Pick<GrantStore, 'loadInstall'>
  records: Pick<RecordStore, 'insert' | 'find' | 'change'>
  keyring: Keyring
  redeemInstall: RedeemInstall
  audit: Pick<AuditTrail, 'record'>
}) => {
  const { store, records, keyring, redeemInstall, audit } = deps

  const find = async (id: string): Promise<StoredCode | null> => {
    const record = await records.find(collection, id)
    return record && { install: JSON.parse(record.value), isRedeemed: record.state === 'redeemed' }
  }

  /** The one step that consumes: of many requests at once, one wins. */
  const consume = async (id: string, install: LinkedInstall) => {
    if (!(await records.change(collection, id, 'open', recordOf(install, 'redeemed'))))
      throw invalidGrant('code_reused')
  }

  return {
    /** A new id for a code. */
    newId: () => randomUUID(),

    /** The code for this id, valid for 60 seconds. @throws OAuthError invalid_request when the id has a code already */
    issue: async (id: string, install: LinkedInstall) => {
      if (!(await records.insert(collection, id, recordOf(install, 'open'), codeLifetime)))
        throw invalidRequest('this request was answered already', 'interaction_gone')
      return encodeInstallCode(keyring, id)
    },

    /** A token of the app itself for a code (as RFC 6749 §4.4), in the organization of the install. */
    grant: (text: string): GrantType<WithInstall & { code: StoredCode | null }> => {
      const id = decodeInstallCode(keyring, text)
      return {
        load: async (clientId) => {
          const code = id === null ? null : await find(id)
          // Only the install of the client itself is read.
          const organizationId =
            code?.install.clientId === clientId ? code.install.organizationId : ''
          const loaded = await store.loadInstall(clientId, organizationId, null)
          return loaded && { ...loaded, code }
        },

        redeem: async (request) => {
          const { app, loaded, cause } = request
          if (app.clientType === 'public') throw unauthorizedClient('public_client')
          if (id === null) throw invalidGrant('token_unreadable')
          const { code } = loaded
          if (!code) throw invalidGrant('code_expired_or_ended')
          const { install, isRedeemed } = code
          if (install.clientId !== app.clientId) throw invalidGrant('token_unknown_or_foreign')
          const { organizationId, clientId, installId } = install
          try {
            if (isRedeemed) throw invalidGrant('code_reused')
            if (loaded.install?.installId !== installId) throw invalidGrant('uninstalled')
            const redemption = await redeemInstall(request, organizationId, () =>
              consume(id, install),
            )
            const about = { organizationId, clientId, detail: { install_id: installId } }
            audit.record(auditEvent(cause, 'install.code_redeemed', about))
            return redemption
          } catch (error) {
            throw about(error, { clientId, organizationId, userId: null })
          }
        },
      }
    },
  }
}

export type InstallCodes = ReturnType<typeof createInstallCodes>
