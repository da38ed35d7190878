// Readers of single settings. Each adds its faults and continues, so that all faults are reported at once.
import { availableParallelism } from 'node:os'
import { isPlatformOrigin } from '../core/authorization/web-message.ts'
import { isWeakSecret } from '../core/credentials/weak-secret.ts'
import { readIpRange } from '../core/language/ip-address.ts'
import { readRedisUrl } from '../stores/redis/address.ts'
import type { SettingValues } from './setting.ts'
import type { keySettings, storeSettings } from './store-settings.ts'

type KeyVariables = SettingValues<typeof keySettings & typeof storeSettings>

const keyOf = (value: string): Buffer | null => {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex')
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : null
}

/** True for a placeholder key that was typed by hand. */
const isWeak = (key: Buffer) => new Set(key).size < 4

export const listOf = (value: string) => value.split(/[\s,]+/).filter((one) => one !== '')

/** @returns the addresses and ranges whose `X-Forwarded-For` is trusted */
export const trustedProxies = (value: string, faults: string[]) => {
  const ranges = listOf(value)
  const read = ranges.map(readIpRange)
  if (read.includes(null)) faults.push('TRUSTED_PROXIES must be addresses or CIDR ranges')
  else if (read.some((one) => one?.bits === 0))
    faults.push('TRUSTED_PROXIES must not have a prefix of 0: any client could claim any address')
  return ranges
}

/** An address that pages link to; null when it is not set. @param schemes with their colons */
export const linkOf = (name: string, value: string, schemes: string[], faults: string[]) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && schemes.includes(url.protocol) && !url.username) return url.href
  faults.push(`${name} must be an address that begins with ${schemes.join(' or ')}`)
  return null
}

/** True for an address of this computer. Names under `.localhost` do not count: the DNS may answer for them. */
export const isLoopback = ({ hostname }: URL) =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

export const baseUrl = (name: string, value: string, faults: string[]): string => {
  const url = URL.canParse(value) ? new URL(value) : null
  const isBare =
    url &&
    !url.search &&
    !url.hash &&
    !url.username &&
    (url.pathname === '/' || url.pathname === '')
  if (!url || !isBare || !/^https?:$/.test(url.protocol)) {
    faults.push(
      `${name} must be an http(s) origin without path, query or fragment, such as https://auth.example.com`,
    )
    return value
  }
  return url.origin
}

/** Characters that a header can carry: no spaces and no line break, with which a file may end. */
const isVisible = (value: string) => /^[\x21-\x7e]*$/.test(value)

/**
 * The Operator API accepts no other tokens. Without this check, an unusable token would be noticed only when it is
 * needed.
 */
export const operatorToken = (value: string, faults: string[]) => {
  if (value === '') return null
  if (value.length < 16) faults.push('LATCHKEY_OPERATOR_TOKEN must have at least 16 characters')
  else if (value.length > 512)
    faults.push('LATCHKEY_OPERATOR_TOKEN must have at most 512 characters')
  else if (!isVisible(value))
    faults.push('LATCHKEY_OPERATOR_TOKEN must be visible ASCII, without spaces or line breaks')
  else if (isWeakSecret(value))
    faults.push('LATCHKEY_OPERATOR_TOKEN is not random (openssl rand -hex 32)')
  return value
}

export const metricsToken = (value: string, faults: string[]) => {
  if (!isVisible(value))
    faults.push('METRICS_TOKEN must be visible ASCII, without spaces or line breaks')
  return value || null
}

export const platformOrigins = (value: string, faults: string[]) => {
  const origins = listOf(value)
  if (!origins.every(isPlatformOrigin)) {
    faults.push('PLATFORM_ORIGINS must be https origins, such as https://platform.example.com')
  }
  return origins
}

export const masterKeys = (env: KeyVariables, faults: string[]) => {
  if (env.LATCHKEY_MASTER_KEY === '') {
    if (env.DATABASE_URL !== '') {
      faults.push(
        'LATCHKEY_MASTER_KEY is required with DATABASE_URL (32 bytes: openssl rand -base64 32)',
      )
    }
    if (env.LATCHKEY_PREVIOUS_MASTER_KEYS !== '') {
      faults.push('LATCHKEY_PREVIOUS_MASTER_KEYS needs a LATCHKEY_MASTER_KEY')
    }
    return []
  }
  const named = [
    ['LATCHKEY_MASTER_KEY', env.LATCHKEY_MASTER_KEY] as const,
    ...listOf(env.LATCHKEY_PREVIOUS_MASTER_KEYS).map(
      (one) => ['LATCHKEY_PREVIOUS_MASTER_KEYS', one] as const,
    ),
  ]
  return named.flatMap(([name, value]) => {
    const key = keyOf(value)
    if (!key) faults.push(`${name} must be 32 bytes in base64 or hex`)
    else if (isWeak(key)) faults.push(`${name} is not random`)
    else return [key]
    return []
  })
}

const passwordHint = 'a password with / @ % # must be URL-encoded'

export const databaseUrl = (value: string, faults: string[]) => {
  if (value === '') return null
  if (!/^postgres(ql)?:/.test(value))
    faults.push('DATABASE_URL must start with postgres:// or postgresql://')
  // Without a host, the query names a socket.
  else if (!URL.canParse(value) && !URL.canParse(value.replace('@/', '@localhost/')))
    faults.push(`DATABASE_URL is not a URL: ${passwordHint}`)
  return value
}

const mostWorkers = 64
export const workers = (value: string, faults: string[]) => {
  if (value === 'auto') return Math.min(availableParallelism(), mostWorkers)
  const count = /^\d{1,2}$/.test(value) ? Number(value) : 0
  if (count < 1 || count > mostWorkers)
    faults.push(`WORKERS must be auto or a number from 1 to ${mostWorkers}`)
  return count
}

export const redisUrl = (value: string, faults: string[]) => {
  if (value === '') return null
  if (!readRedisUrl(value))
    faults.push(
      /^rediss?:\/\//.test(value)
        ? `REDIS_URL is not a URL: ${passwordHint}`
        : `REDIS_URL must start with redis:// or rediss://, or be redis+sentinel://host:port,…/name or redis+cluster://host:port,…; ${passwordHint}`,
    )
  return value
}
