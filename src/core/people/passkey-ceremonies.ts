import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { digestOf } from '../crypto/digests.ts'
import type { RecordStore } from '../limits/records.ts'
import type { Person } from './person.ts'
import type { RelyingParty } from './relying-party.ts'

/** A credential that an authenticator has made for this server. */
export interface Credential {
  /** base64url */
  credentialId: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  transports: string[]
}

/** A challenge is valid once, for one browser and one purpose, and for one user if one is known. */
export interface Challenged {
  purpose: 'add' | 'sign_in'
  browser: string
  /** null: any user with a passkey */
  userId: string | null
}

type Known = Pick<Credential, 'credentialId' | 'transports'>

const collection = 'passkey'
const lifetime = 300 // s, also sent to the browser
const longestAnswer = 16_384
/** At most 1023 bytes (WebAuthn §5.1, credential ID). Keeps NUL and oversized text away from the stores. */
const credentialIdShape = /^[A-Za-z0-9_-]{1,1400}$/
const transportWords = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable']

/** Loaded with the first passkey, because it takes more memory than the rest of the sign-in. */
const webauthn = () => import('@simplewebauthn/server')

/** Reads which credential answers which challenge; the library reads the rest. */
const readAnswer = (answer: string) => {
  if (answer.length > longestAnswer) return null
  try {
    const json = JSON.parse(answer)
    const client = JSON.parse(
      Buffer.from(json.response.clientDataJSON, 'base64url').toString('utf8'),
    )
    const { challenge } = client
    const userHandle: unknown = json.response.userHandle
    if (typeof challenge !== 'string' || typeof json.id !== 'string') return null
    if (!credentialIdShape.test(json.id)) return null
    return { json, challenge, credentialId: json.id as string, userHandle }
  } catch {
    return null
  }
}

/** The browser's list of transports is not signed, so only known words are kept. */
const knownTransports = (said: unknown): string[] =>
  Array.isArray(said) ? transportWords.filter((word) => said.includes(word)) : []

/** The library's errors quote the response, so they are dropped. */
const orNull = <Result>(work: Promise<Result>): Promise<Result | null> => work.catch(() => null)

const offered = (known: Known[]) =>
  known.map(({ credentialId, transports }) => ({ id: credentialId, transports }))

/** The two ceremonies of WebAuthn. Options go to the browser as JSON; its responses come back as JSON text. */
export const createPasskeyCeremonies = (
  party: RelyingParty & { name: string },
  records: RecordStore,
) => {
  const expected = { expectedOrigin: party.origin, expectedRPID: party.id }

  const remember = async (challenge: string, challenged: Challenged) => {
    const record = { state: 'asked', value: JSON.stringify(challenged) }
    await records.put(collection, digestOf(challenge), record, lifetime)
  }

  /** Consumes the challenge, whether the response is valid or not. */
  const take = async (challenge: string, requested: Omit<Challenged, 'userId'>) => {
    const record = await records.take(collection, digestOf(challenge))
    const challenged = record && (JSON.parse(record.value) as Challenged)
    const isOurs =
      challenged?.browser === requested.browser && challenged.purpose === requested.purpose
    return isOurs ? challenged : null
  }

  return {
    registration: async (person: Person, present: Known[], challenged: Challenged) => {
      const { generateRegistrationOptions } = await webauthn()
      const options = await generateRegistrationOptions({
        rpName: party.name,
        rpID: party.id,
        userID: new TextEncoder().encode(person.id),
        userName: person.email,
        userDisplayName: person.name,
        timeout: lifetime * 1000,
        attestationType: 'none',
        excludeCredentials: offered(present),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await remember(options.challenge, challenged)
      return options
    },

    /** @returns null when the response proves nothing */
    registered: async (answer: string, requested: Challenged): Promise<Credential | null> => {
      const read = readAnswer(answer)
      const challenged = read && (await take(read.challenge, requested))
      if (!challenged || challenged.userId !== requested.userId) return null
      const { verifyRegistrationResponse } = await webauthn()
      const result = await orNull(
        verifyRegistrationResponse({
          ...expected,
          response: read?.json as RegistrationResponseJSON,
          expectedChallenge: read?.challenge as string,
          requireUserVerification: true,
        }),
      )
      if (!result?.verified) return null
      const { id, publicKey, counter, transports } = result.registrationInfo.credential
      return { credentialId: id, publicKey, counter, transports: knownTransports(transports) }
    },

    /** @param allowed the passkeys to choose from; empty: any passkey of this server */
    authentication: async (allowed: Known[], challenged: Challenged): Promise<object> => {
      const { generateAuthenticationOptions } = await webauthn()
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        allowCredentials: offered(allowed),
        timeout: lifetime * 1000,
        userVerification: 'required',
      })
      await remember(options.challenge, challenged)
      return options
    },

    /** @returns the credential and its new counter; null when the response proves nothing */
    authenticated: async (
      answer: string,
      requested: Omit<Challenged, 'userId'>,
      find: (credentialId: string) => Promise<(Credential & { id: string; userId: string }) | null>,
    ) => {
      const read = readAnswer(answer)
      const challenged = read && (await take(read.challenge, requested))
      const known = challenged && (await find(read.credentialId))
      if (!read || !known) return null
      // A discoverable credential must name its user (WebAuthn §7.2, step 6).
      const handle = typeof read.userHandle === 'string' ? read.userHandle : null
      const owner = handle === null ? null : Buffer.from(handle, 'base64url').toString()
      if (owner !== known.userId && (owner !== null || challenged.userId === null)) return null
      if (challenged.userId !== null && challenged.userId !== known.userId) return null
      const { verifyAuthenticationResponse } = await webauthn()
      const result = await orNull(
        verifyAuthenticationResponse({
          ...expected,
          response: read.json as AuthenticationResponseJSON,
          expectedChallenge: read.challenge,
          requireUserVerification: true,
          // The counter is compared where it is written, so that only one of two concurrent responses can pass.
          credential: { id: known.credentialId, publicKey: known.publicKey, counter: 0 },
        }),
      )
      if (!result?.verified) return null
      const counter = result.authenticationInfo.newCounter
      const { userId, id: passkeyId, credentialId } = known
      return { userId, passkeyId, credentialId, counter, challenged }
    },
  }
}

export type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>
