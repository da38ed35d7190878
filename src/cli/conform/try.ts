import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { usageError } from '../exit-codes.ts'
import { type Attempt, attemptsFor, type Proof } from './attempts.ts'
import { noAnswer, type Plan, type PlannedRequest } from './plan.ts'

/** How long a data API has to hear of a revocation, in milliseconds. */
const hearsWithin = 5000

export interface Trial {
  request: string
  attempt: string
  expected: 'let in' | 'refused'
  status: number
  /** The answer has GraphQL's `errors`. */
  errors: boolean
  passed: boolean
  /** A command that repeats it, within the life of its token. */
  repeat: string
}

const placeholders = /\{(credential|workspace)\}/g

/** Whether the request says itself where its credential goes. */
const placesCredential = ({ url, headers, body }: PlannedRequest) =>
  JSON.stringify([url, headers, body]).includes('{credential}')

const withCredential = (request: PlannedRequest, workspace: string, credential = '') => {
  const values: Record<string, string> = { credential, workspace }
  const fill = (text: string, encode = (value: string) => value) =>
    text.replace(placeholders, (_, name: string) => encode(values[name] as string))
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, fill(value)])
  return {
    method: request.method,
    url: fill(request.url, encodeURIComponent),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: request.body === undefined ? null : fill(request.body),
  }
}

type Sent = ReturnType<typeof withCredential>

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const commandOf = ({ method, url, headers, body }: Sent) =>
  [
    `curl -i -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(' ')

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Writes proofs of possession, right and wrong ones. (RFC 9449 §4.2) */
const createProver = async () => {
  const own = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const jwk = await exportJWK(own.publicKey)
  const prove = async (proof: Proof, { method, url }: Sent, token: string) => {
    const key = proof === 'key' ? other : own
    const { origin, pathname } = new URL(url)
    return new SignJWT({
      htm: proof === 'method' ? 'TRACE' : method,
      htu: proof === 'url' ? 'https://elsewhere.invalid/' : origin + pathname,
      ath: hashed(proof === 'token' ? `${token}x` : token),
      jti: randomUUID(),
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(key.publicKey) })
      .setIssuedAt(proof === 'old' ? '-1h' : undefined)
      .sign(key.privateKey)
  }
  return { jwk, prove }
}

/** GraphQL may refuse with status 200. */
const hasErrors = (text: string) => {
  try {
    return JSON.parse(text).errors?.length > 0
  } catch {
    return false
  }
}

/** @returns whether the answer is what is expected */
const judge = (
  { allowed, refused }: PlannedRequest,
  expected: Trial['expected'],
  { status, errors }: { status: number; errors: boolean },
) => {
  const isLetIn = allowed.includes(status) && !errors
  if (expected === 'let in') return isLetIn
  return refused.includes(status) || (allowed.includes(status) && !isLetIn)
}

/**
 * Tries all attempts with all requests, one after the other.
 * @throws CommandError (5) when the data API or the test server does not answer, (2) when it refuses to make a token
 */
export const tryAll = async (plan: Plan): Promise<Trial[]> => {
  const ask = async (path: string, init?: RequestInit) => {
    const server = `the test server ${plan.server}`
    const answer: Response = await fetch(plan.server.replace(/\/$/, '') + path, init).catch(
      (error) => {
        throw noAnswer(server, error)
      },
    )
    const json: any = await answer.json().catch(() => null)
    if (answer.ok) return json
    if (answer.status === 400) throw usageError(`${server} has no such token`, [json?.detail])
    throw noAnswer(server, new Error(`${path}: ${answer.status} ${JSON.stringify(json)}`))
  }
  const mint = async (body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    return (await ask('/test/tokens', { method: 'POST', headers, body: JSON.stringify(body) }))
      .token
  }
  const send = async ({ url, ...init }: Sent) => {
    const answer = await fetch(url, { ...init, redirect: 'manual' }).catch((error) => {
      throw noAnswer(`the data API at ${new URL(url).origin}`, error)
    })
    return { status: answer.status, errors: hasErrors(await answer.text()) }
  }
  const { keys } = (await ask('/.well-known/jwks.json')) as { keys: JWK[] }
  const { jwk, prove } = await createProver()

  const presented = async (request: PlannedRequest, { token, change, proof }: Attempt) => {
    const workspace = plan.workspaces[request.workspace ?? 'inside']
    const made = token && (await mint(token))
    const credential = made && (change ? await change(made, keys) : made)
    const sent = withCredential(request, workspace, credential)
    if (credential && !placesCredential(request))
      sent.headers.authorization = `${proof ? 'DPoP' : 'Bearer'} ${credential}`
    if (credential && proof) sent.headers.dpop = await prove(proof, sent, credential)
    return sent
  }

  const tryOne = async (request: PlannedRequest, attempt: Attempt): Promise<Trial> => {
    const sent = await presented(request, attempt)
    const expected = attempt.allowed ? 'let in' : 'refused'
    if (attempt.proof === 'replayed') await send(sent)
    let answer = await send(sent)
    const until = Date.now() + hearsWithin
    while (attempt.late && !judge(request, expected, answer) && Date.now() < until) {
      await sleep(200)
      answer = await send(sent)
    }
    const passed = judge(request, expected, answer)
    return {
      ...{ request: request.name, attempt: attempt.title, expected, passed, ...answer },
      repeat: commandOf(sent),
    }
  }

  const trials: Trial[] = []
  for (const request of plan.requests) {
    let takesProofs = !placesCredential(request)
    for (const attempt of attemptsFor(plan, request, jwk)) {
      if (attempt.proof && !takesProofs) continue
      const trial = await tryOne(request, attempt)
      // A data API need not take bound tokens, but must refuse them as bearer tokens.
      if (attempt.proof === 'right' && judge(request, 'refused', trial)) takesProofs = false
      else trials.push(trial)
    }
  }
  return trials
}
