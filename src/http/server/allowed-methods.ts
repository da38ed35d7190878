import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route exists only to refuse these methods in the error format of its endpoint. */
    refusesMethod?: boolean
  }
  interface FastifyInstance {
    /** Methods allowed on the path of the request; empty when no such path exists. */
    allowedMethods(request: FastifyRequest): string[]
    /** Does a route match this path? @param begins only routes below this path count */
    hasPath(path: string, begins?: string): boolean
  }
}

interface Path {
  shape: RegExp
  host: RegExp | null
  methods: Set<string>
}

/** Pattern of the paths that a route matches: `:name` is one segment, `*` the rest. */
const shapeOf = (pattern: string) => {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`)
}

/** Records the routes that are added after this call, for `allowedMethods`. */
export const watchRoutes = (server: FastifyInstance): void => {
  const paths = new Map<string, Path>()

  server.addHook('onRoute', ({ url, method, constraints, config }) => {
    if (config?.refusesMethod) return
    const host = constraints?.host instanceof RegExp ? constraints.host : null
    const known = paths.get(url) ?? { shape: shapeOf(url), host, methods: new Set<string>() }
    for (const one of [method].flat()) known.methods.add(one)
    paths.set(url, known)
  })

  server.decorate('allowedMethods', ({ raw, headers }: FastifyRequest) => {
    const [path = ''] = (raw.url ?? '').split(/[?#]/, 1)
    const found = [...paths.values()].filter(
      ({ shape, host }) => shape.test(path) && (host === null || host.test(headers.host ?? '')),
    )
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort()
  })

  server.decorate('hasPath', (path: string, begins = '') =>
    [...paths].some(([url, { shape }]) => url.startsWith(`${begins}/`) && shape.test(path)),
  )
}

/** Sets `Allow` when the path exists for other methods (RFC 9110 §15.5.6). @returns false when no such path exists */
export const allowOthers = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const methods = request.server.allowedMethods(request)
  if (methods.length > 0) reply.header('allow', methods.join(', '))
  return methods.length > 0
}
