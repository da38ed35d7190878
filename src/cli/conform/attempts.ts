import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { Plan, PlannedRequest } from './plan.ts'

type Kind = 'user' | 'install' | 'self_signed' | 'key_set'

/** The body of `POST /test/tokens`. */
type TokenRequest = Readonly<Record<string, unknown>>

/** What is done to a token before it is presented. `keys`: what the server publishes. */
type Change = (token: string, keys: readonly JWK[]) => string | Promise<string>

/** What a proof of possession is (RFC 9449 §4), or what is wrong with it. `replayed`: it was accepted before. */
export type Proof = 'right' | 'method' | 'url' | 'token' | 'key' | 'old' | 'replayed'

interface Case {
  /** What follows the name of the kind, such as "that has expired". */
  title: string
  /** Kinds of tokens with which it is tried. */
  of: readonly Kind[]
  token?: TokenRequest
  change?: Change
  proof?: Proof
  /** The request is to be let in; otherwise it is to be refused. */
  allowed?: true
  /** The data API learns from the revocation feed that the token has ended, which takes seconds. */
  late?: true
}

/** One token, and how it is presented. */
export interface Attempt extends Omit<Case, 'of' | 'token'> {
  /** Absent: nothing is presented. */
  token?: TokenRequest
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Changes the header or the claims, and keeps the signature unless another one is given. */
const rewritten =
  (header: object, claims: object = {}, signature?: string): Change =>
  (token) => {
    const [head, body, kept] = token.split('.') as [string, string, string]
    const parts = [
      encoded({ ...decoded(head), ...header }),
      encoded({ ...decoded(body), ...claims }),
    ]
    return [...parts, signature ?? kept].join('.')
  }

const signedAgain = (token: string, key: Parameters<SignJWT['sign']>[0], header: object) => {
  const [head, body] = token.split('.') as [string, string]
  return new SignJWT(decoded(body)).setProtectedHeader({ ...decoded(head), ...header }).sign(key)
}

const signedByAnother =
  (headerOf: (jwk: JWK) => object): Change =>
  async (token) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const header = headerOf(await exportJWK(publicKey))
    return signedAgain(token, privateKey, { alg: 'ES256', ...header })
  }

/** What is public is no secret. (RFC 8725 §2.1) */
const signedWith =
  (secretOf: (key: JWK) => Buffer): Change =>
  (token, [key]) =>
    signedAgain(token, secretOf(key as JWK), { alg: 'HS256' })

const changedSignature: Change = (token) => {
  const at = token.length - 10
  return token.slice(0, at) + (token.charAt(at) === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

const issued: readonly Kind[] = ['user', 'install']
const signed: readonly Kind[] = [...issued, 'self_signed']
const any: readonly Kind[] = [...signed, 'key_set']
const users: readonly Kind[] = ['user']

/** Each class of hostile token that needs nothing of the plan. */
const cases: readonly Case[] = [
  { title: '', of: any, allowed: true },
  { title: 'that has expired', of: signed, token: { expires_in: -120 } },
  { title: 'that is not valid yet', of: issued, token: { not_before: 600 } },
  { title: 'of another issuer', of: issued, token: { issuer: 'https://issuer.invalid' } },
  { title: 'for another audience', of: issued, token: { audience: 'https://audience.invalid' } },
  { title: 'of another organization', of: any, token: { other_organization: true } },
  { title: 'of another type', of: issued, token: { typ: 'JWT' } },
  { title: 'that was revoked', of: any, token: { revoked: true }, late: true },
  { title: 'whose app was uninstalled', of: users, token: { revoked: 'app' }, late: true },
  { title: 'whose user was disabled', of: users, token: { revoked: 'user' }, late: true },
  { title: 'whose connection was ended', of: users, token: { revoked: 'connection' }, late: true },
  { title: 'with alg "none"', of: signed, change: rewritten({ alg: 'none' }, {}, '') },
  { title: 'with alg "nOnE"', of: signed, change: rewritten({ alg: 'nOnE' }, {}, '') },
  { title: 'without its signature', of: signed, change: rewritten({}, {}, '') },
  { title: 'with a changed signature', of: signed, change: changedSignature },
  { title: 'whose claims were changed', of: signed, change: rewritten({}, { jti: 'forged' }) },
  {
    title: 'with an unknown critical header',
    of: issued,
    change: rewritten({ crit: ['x-new'], 'x-new': 1 }),
  },
  { title: 'that another key has signed', of: issued, change: signedByAnother(() => ({})) },
  {
    title: 'that an unknown key has signed',
    of: issued,
    change: signedByAnother(() => ({ kid: 'unknown' })),
  },
  {
    title: 'that the key in its header has signed',
    of: issued,
    change: signedByAnother((jwk) => ({ jwk })),
  },
  {
    title: 'that the key at its jku has signed',
    of: issued,
    change: signedByAnother(() => ({ kid: 'theirs', jku: 'https://keys.invalid/jwks' })),
  },
  {
    title: 'with HS256 and the published key as the secret',
    of: issued,
    change: signedWith((key) => Buffer.from(JSON.stringify(key))),
  },
  {
    title: "with HS256 and the published key's x or n as the secret",
    of: issued,
    change: signedWith(({ x, n }) => Buffer.from((x ?? n) as string, 'base64url')),
  },
]

const proofTitles: Record<Exclude<Proof, 'right'>, string> = {
  method: 'with a proof for another method',
  url: 'with a proof for another URL',
  token: 'with a proof for another token',
  key: 'with a proof of another key',
  old: 'with a proof of an hour ago',
  replayed: 'with a proof that was used before',
}

/** Tokens that are bound to a key. The first attempt shows whether the data API takes such tokens. (RFC 9449) */
const bound = (jwk: JWK): Case[] => {
  const token = { dpop_jwk: jwk }
  const wrong = Object.entries(proofTitles) as [Proof, string][]
  return [
    { title: 'with a proof', of: users, token, proof: 'right', allowed: true },
    { title: 'that is bound to a key, without a proof', of: users, token },
    ...wrong.map(([proof, title]): Case => ({ title, of: users, token, proof })),
  ]
}

/** What the plan says about workspaces and permissions. */
const narrowed = ({ workspaces }: Plan, needs: readonly string[]): Case[] => {
  const { inside, outside } = workspaces
  return [
    { title: 'for this workspace', of: signed, token: { workspaces: [inside] }, allowed: true },
    { title: 'for another workspace', of: signed, token: { workspaces: [outside] } },
    { title: 'for no workspace', of: signed, token: { workspaces: [] } },
    ...needs.map((need) => ({
      title: `without ${need}`,
      of: signed,
      token: { permissions: needs.filter((other) => other !== need) },
    })),
  ]
}

const kinds = {
  current: {
    user: 'a user token',
    install: 'an install token',
    self_signed: 'a self-signed token',
  },
  legacy: { user: 'a user token', key_set: 'a secret key' },
}

/**
 * All that is tried with a request.
 * @param dpop the public key to which tokens are bound
 */
export const attemptsFor = (plan: Plan, request: PlannedRequest, dpop: JWK): Attempt[] => {
  const needs = request.needs ?? []
  const isOutside = request.workspace === 'outside'
  const isCurrent = plan.interface === 'current'
  const all = isOutside
    ? cases.slice(0, 1)
    : [
        ...cases,
        ...narrowed(plan, needs).filter(({ token }) => isCurrent || !token?.workspaces),
        ...(isCurrent ? bound(dpop) : []),
      ]
  const { organization, audience } = plan
  const base = { organization, audience, interface: plan.interface, permissions: needs }
  const attempts = all.flatMap(({ of, title, token, allowed, ...one }) =>
    Object.entries(kinds[plan.interface])
      .filter(([kind]) => of.includes(kind as Kind))
      .map(([kind, name]) => ({
        ...one,
        ...(allowed && !isOutside && { allowed }),
        title: `${name} ${title}`.trim(),
        token: { ...base, kind, ...token },
      })),
  )
  const other = { ...base, kind: 'user', interface: isCurrent ? 'legacy' : 'current' }
  return [
    ...attempts,
    { title: 'no token' },
    { title: 'a user token of the other interface', token: other },
  ]
}
