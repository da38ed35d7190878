/** The address of a Redis: one server, one named by sentinels, or the nodes of a cluster. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | ({ kind: 'sentinel'; name: string; database: number; sentinelPassword: string | null } & Many)
  | ({ kind: 'cluster' } & Many)

interface Many {
  hosts: { host: string; port: number }[]
  username: string | null
  password: string | null
  tls: boolean
}

const shape = /^redis(s?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/
const standardPorts = { sentinel: 26_379, cluster: 6379 }

const readHost = (text: string, standardPort: number) => {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : null
  if (!url?.hostname || url.pathname !== '') return null
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || standardPort) }
}

const decoded = (text: string | undefined) => (text ? decodeURIComponent(text) : null)

const readMany = (text: string): RedisAddress | null => {
  const match = shape.exec(text)
  if (!match) return null
  const [, secure, kind, login = '', list = '', path = '', query] = match
  const isSentinel = kind === 'sentinel'
  const port = standardPorts[isSentinel ? 'sentinel' : 'cluster']
  const hosts = list.split(',').map((one) => readHost(one, port))
  const [username, ...password] = login.split(':')
  const many = {
    hosts: hosts.filter((host) => host !== null),
    username: decoded(username),
    password: decoded(password.join(':')),
    tls: secure === 's',
  }
  if (many.hosts.length !== hosts.length) return null
  if (!isSentinel) return path === '' || path === '/' ? { kind: 'cluster', ...many } : null
  const [name = '', database = '0', ...rest] = path.slice(1).split('/')
  if (name === '' || !/^\d{1,4}$/.test(database) || rest.length > 0) return null
  const sentinelPassword = new URLSearchParams(query).get('sentinel_password')
  return { kind: 'sentinel', name, database: Number(database), sentinelPassword, ...many }
}

/**
 * Parses `redis://…`, `redis+sentinel://user:password@host:port,host:port/name/database` or
 * `redis+cluster://user:password@host:port,host:port`; `rediss` instead of `redis` means TLS.
 * @returns null for another form
 */
export const readRedisUrl = (text: string): RedisAddress | null => {
  try {
    if (/^rediss?:\/\//.test(text)) return URL.canParse(text) ? { kind: 'server', url: text } : null
    return readMany(text)
  } catch {
    return null // malformed percent-encoding
  }
}
