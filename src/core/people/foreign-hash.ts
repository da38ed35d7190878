// Hashes of passwords and secrets as other servers store them (decision 0120). Each form is read by one bounded pattern.
import { createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import argon2 from 'argon2'

/** A hash that this server can verify with bounded work. */
export type ForeignHash =
  | { kind: 'argon2'; phc: string }
  | { kind: 'bcrypt'; text: string; ofDigest: boolean }
  | ({ kind: 'scrypt' } & Derived & Record<'N' | 'r' | 'p', number>)
  | ({ kind: 'pbkdf2' } & Derived & { iterations: number; algorithm: string })
  | { kind: 'sha256'; value: Buffer }

type Derived = Record<'salt' | 'value', Buffer>

/** A hash as Keycloak stores it: salt and value in base64. */
export interface KeycloakHash {
  algorithm: string
  iterations?: number | undefined
  parameters?: Readonly<Record<string, readonly string[]>> | undefined
  salt: string
  value: string
}

export const longestHash = 1024
const shortestValue = 16 // bytes
const mebibyte = 2 ** 20
const most = { pbkdf2: 2_000_000, bcrypt: 14, memory: 256 * mebibyte, work: 1024 * mebibyte }
/** A lane of argon2 is a thread. */
const mostLanes = 64
const digestBytes: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

const base64 = '[A-Za-z0-9+/._\\-]{1,512}={0,2}'
const number = '[1-9][0-9]{0,9}'
const shape = (text: string) => new RegExp(`^${text}$`)
const argon2Shape = shape(
  `\\$argon2(?:id|i|d)(?:\\$v=(?:16|19))?\\$m=(${number}),t=(${number}),p=(${number})\\$(${base64})\\$(${base64})`,
)
const bcryptShape = /^\$2[aby](\$([0-9]{2})\$[./A-Za-z0-9]{53})$/
const scryptShape = shape(
  `\\$scrypt\\$ln=([0-9]{1,2}),r=(${number}),p=(${number})\\$(${base64})\\$(${base64})`,
)
const pbkdf2Shape = shape(
  `\\$pbkdf2-(sha1|sha256|sha512)\\$(?:i=)?(${number})(?:,l=(${number}))?\\$(${base64})\\$(${base64})`,
)
const djangoPbkdf2 = shape(`pbkdf2_(sha1|sha256)\\$(${number})\\$([^$]{1,256})\\$(${base64})`)
const djangoScrypt = shape(
  `scrypt\\$(${number})\\$([^$]{1,256})\\$(${number})\\$(${number})\\$(${base64})`,
)
const sha256Shape = /^sha256:([0-9a-f]{64})$/i

/** Standard base64, its URL form, and that of passlib, which writes a dot for a plus. */
const bytesOf = (text = '') => Buffer.from(text.replaceAll('.', '+'), 'base64')

const isValue = ({ salt, value }: Derived) => salt.length > 0 && value.length >= shortestValue

const readArgon2 = (phc: string): ForeignHash | null => {
  const [, m, t, p, salt, value] = argon2Shape.exec(phc) ?? []
  const [memory, lanes] = [Number(m) * 1024, Number(p)]
  const isBounded = memory <= most.memory && memory * Number(t) <= most.work && lanes <= mostLanes
  const isPossible = memory >= lanes * 8 * 1024 && bytesOf(salt).length >= 8
  return isBounded && isPossible && bytesOf(value).length >= shortestValue
    ? { kind: 'argon2', phc }
    : null
}

/** The three letters of bcrypt name one algorithm, as its present libraries implement it. */
const readBcrypt = (text: string, ofDigest = false): ForeignHash | null => {
  const [, rest, cost] = bcryptShape.exec(text) ?? []
  const isBounded = Number(cost) >= 4 && Number(cost) <= most.bcrypt
  return isBounded ? { kind: 'bcrypt', text: `$2b${rest}`, ofDigest } : null
}

const readScrypt = (text: string): ForeignHash | null => {
  const [, ln, r, p, salt, value] = scryptShape.exec(text) ?? []
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const derived = { salt: bytesOf(salt), value: bytesOf(value) }
  const memory = 128 * cost.N * cost.r
  const isBounded = cost.N > 1 && memory <= most.memory && memory * cost.p <= most.work
  return isBounded && isValue(derived) ? { kind: 'scrypt', ...cost, ...derived } : null
}

const readPbkdf2 = (text: string): ForeignHash | null => {
  const [, algorithm = '', i, length, salt, value] = pbkdf2Shape.exec(text) ?? []
  const [iterations, derived] = [Number(i), { salt: bytesOf(salt), value: bytesOf(value) }]
  const isWhole = length === undefined || Number(length) === derived.value.length
  const blocks = Math.ceil(derived.value.length / (digestBytes[algorithm] ?? 1))
  const isBounded = iterations * blocks <= most.pbkdf2
  return isWhole && isBounded && isValue(derived)
    ? { kind: 'pbkdf2', algorithm, iterations, ...derived }
    : null
}

const base64Of = (salt = '') => Buffer.from(salt).toString('base64').replace(/=+$/, '')

/** Django writes the salt as text. */
const readDjangoPbkdf2 = (text: string): ForeignHash | null => {
  const [, algorithm, iterations, salt, value] = djangoPbkdf2.exec(text) ?? []
  return readPbkdf2(`$pbkdf2-${algorithm}$i=${iterations}$${base64Of(salt)}$${value}`)
}

const readDjangoScrypt = (text: string): ForeignHash | null => {
  const [, N, salt, r, p, value] = djangoScrypt.exec(text) ?? []
  return readScrypt(`$scrypt$ln=${Math.log2(Number(N))},r=${r},p=${p}$${base64Of(salt)}$${value}`)
}

const readSha256 = (text: string): ForeignHash | null => {
  const [, hex] = sha256Shape.exec(text) ?? []
  return hex ? { kind: 'sha256', value: Buffer.from(hex, 'hex') } : null
}

const readers: readonly [prefix: string, read: (text: string) => ForeignHash | null][] = [
  ['$argon2', readArgon2],
  ['argon2$', (text) => readArgon2(text.slice('argon2'.length))],
  ['$2', readBcrypt],
  ['bcrypt$', (text) => readBcrypt(text.slice('bcrypt$'.length))],
  ['bcrypt_sha256$', (text) => readBcrypt(text.slice('bcrypt_sha256$'.length), true)],
  ['$scrypt$', readScrypt],
  ['scrypt$', readDjangoScrypt],
  ['$pbkdf2-', readPbkdf2],
  ['pbkdf2_', readDjangoPbkdf2],
  ['sha256:', readSha256],
]

/** @returns null for any other form, and for a hash that is too expensive, too short or without salt */
export const readHash = (text: string): ForeignHash | null => {
  if (text.length > longestHash) return null
  const reader = readers.find(([prefix]) => text.startsWith(prefix))
  return reader ? reader[1](text) : null
}

const keycloakDigests: Record<string, string> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
}

/** A hash of Keycloak as a text that `readHash` takes; any other algorithm gives a text that it refuses. */
export const textOfKeycloak = (hash: KeycloakHash): string => {
  const { algorithm, iterations = 0, parameters = {} } = hash
  const [salt, value] = [hash.salt, hash.value].map((one) => one.replace(/=+$/, ''))
  const of = (name: string) => parameters[name]?.[0]
  if (algorithm === 'argon2') {
    const version = of('version') === '1.0' ? 16 : 19
    const cost = `m=${of('memory')},t=${iterations},p=${of('parallelism')}`
    return `$argon2${of('type')}$v=${version}$${cost}$${salt}$${value}`
  }
  return `$pbkdf2-${keycloakDigests[algorithm] ?? ''}$i=${iterations}$${salt}$${value}`
}

const derive = {
  scrypt: promisify<string, Buffer, number, object, Buffer>(scrypt),
  pbkdf2: promisify(pbkdf2),
}

const longestBcrypt = 72 // bytes; the algorithm ignores the others

const verifyBcrypt = async (
  { text, ofDigest }: ForeignHash & { kind: 'bcrypt' },
  secret: string,
) => {
  const { default: bcrypt } = await import('bcrypt')
  const input = ofDigest ? createHash('sha256').update(secret).digest('hex') : secret
  return bcrypt.compare(Buffer.from(input).subarray(0, longestBcrypt), text)
}

/** Runs on the threads of libuv, except for `sha256:`, which needs none. */
const verifyHash = async (hash: ForeignHash, secret: string): Promise<boolean> => {
  switch (hash.kind) {
    case 'argon2':
      return argon2.verify(hash.phc, secret)
    case 'bcrypt':
      return verifyBcrypt(hash, secret)
    case 'scrypt': {
      const { N, r, p, salt, value } = hash
      const options = { N, r, p, maxmem: 2 * most.memory }
      return timingSafeEqual(await derive.scrypt(secret, salt, value.length, options), value)
    }
    case 'pbkdf2': {
      const { iterations, algorithm, salt, value } = hash
      const derived = await derive.pbkdf2(secret, salt, iterations, value.length, algorithm)
      return timingSafeEqual(derived, value)
    }
    case 'sha256':
      return timingSafeEqual(createHash('sha256').update(secret).digest(), hash.value)
  }
}

/** Verifies a secret against the text of a hash; one that `readHash` does not take matches nothing. */
export const matchesHash = async (text: string, secret: string): Promise<boolean> => {
  const hash = readHash(text)
  return hash !== null && verifyHash(hash, secret)
}
