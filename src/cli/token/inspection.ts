import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import type { TokenInspectionJson } from '../../http/operator/tokens/inspection.ts'
import type { Input } from '../command.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { fetchServer } from '../operator-api.ts'
import { fields, moment, print, shown } from '../output.ts'
import { secretFromEnvironment } from '../secret-input.ts'
import { nameServer } from '../server-address.ts'
import { note, type Terminal } from '../terminal.ts'
import { askServer, explanation, refusalWords, signedKinds } from './explain.ts'
import { tokenIn } from './request.ts'

const opaque: Record<string, string> = {
  lkac_: 'an authorization code',
  lkrt_: 'a refresh token',
  lkcs_: "an app's secret",
  lkks_: "a key set's secret",
  lkop_: 'an operator token',
}

const notJwt = (token: string) => {
  const kind = opaque[token.slice(0, 5)]
  const words = kind ? `this is ${kind}, which only the server can read` : 'this is not a JWT'
  return new CommandError(exitCodes.refused, words)
}

const reasonOf = (error: unknown): string => {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    const words = error.reason === 'missing' ? 'is missing' : 'is not what the server would sign'
    return `its ${error.claim} ${words}`
  }
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'the server publishes no key with its key id'
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'the signature is wrong: the token was changed or signed by another party'
  if (error instanceof errors.JOSEError) return error.message
  throw error
}

const fetchJson = async <Json>(url: string): Promise<Json> => {
  const response = await fetchServer(url)
  if (!response.ok)
    throw new CommandError(exitCodes.failed, `${url} answered ${response.status}: not Latchkey?`)
  return (await response.json()) as Json
}

/** Verifies a token of the server with its published keys (RFC 9068 §4). */
const verifySigned = async (terminal: Terminal, token: string, audience: string | undefined) => {
  const url = nameServer(terminal)
  const [{ issuer }, keys] = await Promise.all([
    fetchJson<{ issuer: string }>(`${url}/.well-known/oauth-authorization-server`),
    fetchJson<JSONWebKeySet>(`${url}/.well-known/jwks.json`),
  ])
  await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    typ: 'at+jwt',
    requiredClaims: ['exp', 'sub', 'client_id'],
    ...(audience !== undefined && { audience }),
  })
}

/** Verifies a self-signed token, which needs the secret of the key set. */
const verifySelfSigned = async (terminal: Terminal, token: string) => {
  const secret = secretFromEnvironment(terminal, 'LATCHKEY_CLIENT_SECRET')
  if (!secret)
    return 'it was signed with the secret of a key set: set LATCHKEY_CLIENT_SECRET to check it'
  await jwtVerify(token, new TextEncoder().encode(secret), {
    algorithms: ['HS256'],
    requiredClaims: ['iss', 'iat'],
  })
  return null
}

/** Decodes a token without verifying it; null: it is not a JWT. */
const decoded = (token: string) => {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return null
  }
}

/** @returns the content, and the reason why it is invalid, in words */
const inspected = async (terminal: Terminal, token: string, audience: string | undefined) => {
  const content = decoded(token)
  if (!content) throw notJwt(token)
  let reason: string | null = null
  try {
    if (content.header.alg === 'HS256') reason = await verifySelfSigned(terminal, token)
    else await verifySigned(terminal, token, audience)
  } catch (error) {
    reason = reasonOf(error)
  }
  return { valid: reason === null, reason, ...content }
}

type Inspection = Awaited<ReturnType<typeof inspected>>

const time = (seconds: number | undefined) =>
  seconds === undefined ? '–' : moment(new Date(seconds * 1000).toISOString())

const untilNow = (seconds: number, now: number) => {
  const minutes = Math.round(Math.abs(seconds - now) / 60)
  return seconds > now ? `in ${minutes} min` : `${minutes} min ago`
}

const words = (value: unknown) =>
  Array.isArray(value) ? shown(value.map(String).join(' ')) : shown(value?.toString())

/** The content of a token as text, line by line. */
const explained = ({ valid, reason, header, claims }: Inspection): string => {
  const selfSigned = header.alg === 'HS256'
  const expiry = claims.exp
  const now = Date.now() / 1000
  const everywhere = selfSigned || claims.interface === 'legacy'
  const nothing = selfSigned || claims.interface === 'current' ? 'reading only' : 'nothing'
  const permissions = Array.isArray(claims.permissions) ? claims.permissions : []
  const kind = selfSigned
    ? 'self-signed: the owner of a key set'
    : (signedKinds[String(claims.kind)] ?? 'unknown')
  const isLimited = claims.workspace_ids !== undefined || !everywhere
  const expires =
    expiry === undefined ? 'with the secret' : `${time(expiry)} (${untilNow(expiry, now)})`
  return fields([
    ['valid', valid ? 'yes' : `no: ${reason}`],
    ['kind', kind],
    ['interface', selfSigned ? 'current' : words(claims.interface)],
    ['for', words(claims.sub ?? claims.iss)],
    ['app or key set', words(claims.client_id ?? claims.iss)],
    ['organization', words(claims.organization_id)],
    ['may', permissions.length > 0 ? words(permissions) : nothing],
    ['where', isLimited ? words(claims.workspace_ids) : 'everywhere'],
    ['issued', time(claims.iat)],
    ['expires', expires],
    ['bound to key', words((claims.cnf as { jkt?: unknown } | undefined)?.jkt)],
    ['issuer', words(claims.iss)],
    ['audience', words(claims.aud)],
    ['signed', `${header.alg}${header.kid ? `, key ${header.kid}` : ''}`],
    ['token id', words(claims.jti)],
  ])
}

/** Prints the server's explanation; with --json also the unverified content of the token. */
const explain = (terminal: Terminal, input: Input, token: string, answer: TokenInspectionJson) => {
  const reason = refusalWords(answer)?.why ?? null
  const all = { valid: answer.accepted, reason, ...answer, ...decoded(token) }
  print(terminal, input, all, () => explanation(answer))
  if (!answer.accepted) throw new CommandError(exitCodes.refused, 'the token is not valid')
}

export const inspectToken = async (input: Input, terminal: Terminal): Promise<void> => {
  const token = await tokenIn(terminal, 'LATCHKEY_ACCESS_TOKEN', 'access_token')
  const asksHere = input.flag('local') || input.text('audience') !== undefined
  const answer = asksHere ? null : await askServer(terminal, token)
  if (answer) return explain(terminal, input, token, answer)
  const inspection = await inspected(terminal, token, input.text('audience'))
  print(terminal, input, inspection, () => explained(inspection))
  if (!inspection.valid) throw new CommandError(exitCodes.refused, 'the token is not valid')
  if (!input.json)
    note(
      terminal,
      'Signature and times are valid. Only introspection shows whether the token was revoked.',
    )
}
