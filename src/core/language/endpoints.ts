/** Our own paths of the endpoints that may have aliases. The first one is that of the current interface. */
export const endpointPaths = {
  authorize: ['/authorize', '/oauth/authorize'],
  token: ['/api/oauth/token', '/api/oauth/access_token'],
  par: ['/api/oauth/par'],
  revoke: ['/api/oauth/revoke'],
  introspect: ['/api/oauth/introspect'],
  userinfo: ['/userinfo'],
  jwks: ['/.well-known/jwks.json'],
  metadata: ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  device: ['/api/oauth/device_authorization'],
  end_session: ['/end-session'],
} as const

export type Endpoint = keyof typeof endpointPaths

/** A further path of an endpoint, for clients of the server that this one replaces. */
export interface Alias {
  path: string
  endpoint: Endpoint
}

/** Where clients find the server. */
export interface Place {
  /** The issuer without its final slash. The URLs of our own paths begin with it. */
  base: string
  /** The path of `base`; empty: the server has the whole host. */
  prefix: string
  aliases: readonly Alias[]
}

const ownPathsOf = (endpoint: Endpoint): readonly string[] => endpointPaths[endpoint]

/** The endpoint that has this path as its own; undefined: none that may have aliases. */
export const endpointAt = (path: string): Endpoint | undefined =>
  (Object.keys(endpointPaths) as Endpoint[]).find((one) => ownPathsOf(one).includes(path))

/** The URLs of the endpoint with this path: our own first. An alias is also served outside the path of the issuer. */
export const endpointUrls = ({ base, aliases }: Place, path: string): [string, ...string[]] => {
  const endpoint = endpointAt(path)
  const { origin } = new URL(base)
  const others = aliases.filter((one) => one.endpoint === endpoint)
  return [base + path, ...others.flatMap((one) => [base + one.path, origin + one.path])]
}
