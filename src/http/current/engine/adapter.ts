import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { App } from '../../../core/clients/app.ts'
import type { Targets } from '../../../core/clients/targets.ts'
import type { TokenLifetimes } from '../../../core/clients/token-lifetime.ts'
import type { Keyring } from '../../../core/crypto/keyring.ts'
import { randomText } from '../../../core/crypto/random.ts'
import type { Grant } from '../../../core/grants/grant.ts'
import type { RecordStore } from '../../../core/limits/records.ts'
import type { IdTokens } from '../../../core/tokens/id-tokens.ts'
import { grantOf } from './grants.ts'
import { currentProviderCall, rememberFailure } from './request-context.ts'

export interface AdapterDependencies {
  findApp(clientId: string): Promise<App | null>
  issueCode(grant: Grant): Promise<string>
  /** Reads a client's `id_token_hint`. */
  readIdTokenHint: IdTokens['readHint']
  targets: Pick<Targets, 'isDefault' | 'ofRequest'>
  records: RecordStore
  keyring: Keyring
  /** Milliseconds since 1970, the same on all instances. */
  now: () => number
  /** Origins of the platform's pages that show apps in frames. */
  platformOrigins: readonly string[]
  lifetimes: TokenLifetimes
}

const kept = new Set(['Interaction', 'PushedAuthorizationRequest'])
const keyOf = (id: string) => createHash('sha256').update(id).digest('base64url')
const nothing = async () => undefined

/** The client metadata for the provider. It has no secret, because our code authenticates clients. */
export const clientMetadata = (clientId: string) => ({
  client_id: clientId,
  // Our own code decides which redirect URIs may be registered and which match. In the provider's rules one kind of URI
  // spoils another (https on loopback beside a custom scheme), so it gets an unused one.
  redirect_uris: ['https://registered.invalid/'],
  response_types: ['code' as const],
  response_modes: ['query', 'form_post', 'web_message'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none' as const,
  id_token_signed_response_alg: 'ES256' as const,
})

const clientAdapter = {
  find: (id: string) =>
    rememberFailure(async () => {
      const call = currentProviderCall()
      call.app = await call.findApp(id)
      return call.app ? clientMetadata(call.app.clientId) : undefined
    }),
}

/** Discards the code of the provider. Issues a code of our own grant family instead. */
const codeAdapter = (deps: AdapterDependencies) => ({
  upsert: (_id: string, payload: AdapterPayload) =>
    rememberFailure(async () => {
      const call = currentProviderCall()
      if (call.decision?.kind !== 'approved') throw new Error('a code without an approval')
      const binding = {
        clientId: payload.clientId as string,
        redirectUri: payload.redirectUri as string,
        codeChallenge: (payload.codeChallenge as string | undefined) ?? null,
        dpopJkt: (payload.dpopJkt as string | undefined) ?? null,
        isPosted: call.isPosted,
      }
      call.code = await deps.issueCode(grantOf(call.decision.approval, binding, deps.lifetimes))
    }),
})

const times = ['iat', 'nbf', 'exp']

/** The claims with each time shifted by this many seconds. */
const shiftTimes = <Values extends object>(values: Values, seconds: number): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      times.includes(name) && typeof value === 'number' ? value + seconds : value,
    ]),
  ) as Values

/** A pushed request is stored as an unsecured JWT (RFC 7519 §6), which contains times. */
const shiftRequest = (request: string, seconds: number) => {
  const [header, claims = ''] = request.split('.')
  const values = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
  const text = Buffer.from(JSON.stringify(shiftTimes(values, seconds))).toString('base64url')
  return `${header}.${text}.`
}

/** The provider uses the clock of this machine. Stored times use the clock of the stores, which all instances share. */
const shiftPayload = (payload: AdapterPayload, seconds: number): AdapterPayload => {
  if (seconds === 0) return payload
  const { request } = payload
  return {
    ...shiftTimes(payload, seconds),
    ...(typeof request === 'string' && { request: shiftRequest(request, seconds) }),
  }
}

/** Stores interactions and pushed requests encrypted, under the hash of their id. */
const recordAdapter = (model: string, { records, keyring, now }: AdapterDependencies) => {
  const collection = model === 'Interaction' ? 'interaction' : 'pushed-request'
  const rowOf = (id: string) => `${collection}:${keyOf(id)}`
  const ahead = () => Math.round((now() - Date.now()) / 1000)
  const seal = (id: string, payload: AdapterPayload) => {
    const text = JSON.stringify(shiftPayload(payload, ahead()))
    return keyring.seal(Buffer.from(text), rowOf(id)).toString('base64')
  }
  const open = (id: string, value: string) => {
    const text = keyring.open(Buffer.from(value, 'base64'), rowOf(id)).toString()
    return shiftPayload(JSON.parse(text) as AdapterPayload, -ahead())
  }

  return {
    upsert: (id: string, payload: AdapterPayload, expiresIn: number) =>
      rememberFailure(async () => {
        if (model === 'Interaction') await currentProviderCall().handler?.admit()
        const record = { state: 'open', value: seal(id, payload) }
        await records.put(collection, keyOf(id), record, expiresIn)
      }),
    find: (id: string) =>
      rememberFailure(async () => {
        const record = await records.find(collection, keyOf(id))
        if (!record) return undefined
        return { ...open(id, record.value), ...(record.state !== 'open' && { consumed: true }) }
      }),
    // Compare and set: of several parallel calls, one succeeds.
    consume: async (id: string) => {
      const value = await rememberFailure(
        async () => (await records.find(collection, keyOf(id)))?.value,
      )
      // A value of our own, recorded before the change. If the store does not answer, the change may have happened and
      // must be undone too.
      const used = `used ${randomText(9)}`
      currentProviderCall().undo.push(async () => {
        if (value !== undefined)
          await records.change(collection, keyOf(id), used, { state: 'open', value })
      })
      const won =
        value !== undefined &&
        (await rememberFailure(() =>
          records.change(collection, keyOf(id), 'open', { state: used, value }),
        ))
      if (!won) throw new errors.InvalidRequestUri('request_uri was already used')
    },
    // Delete only after the answer: a client that must retry uses the same id.
    destroy: async (id: string) => {
      currentProviderCall().afterwards.push(() => records.delete(collection, keyOf(id)))
    },
  }
}

/** Storage for oidc-provider. Its sessions and grants are not stored: our own code has them. */
export const createAdapter =
  (deps: AdapterDependencies) =>
  (model: string): Adapter => {
    const base: Adapter = {
      upsert: nothing,
      find: nothing,
      findByUserCode: nothing,
      findByUid: nothing,
      consume: nothing,
      destroy: nothing,
      revokeByGrantId: nothing,
    }
    if (model === 'Client') return { ...base, ...clientAdapter }
    if (model === 'AuthorizationCode') return { ...base, ...codeAdapter(deps) }
    return kept.has(model) ? { ...base, ...recordAdapter(model, deps) } : base
  }
