import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is there only to refuse these methods in the words of its endpoint. */
    refusesMethod?: boolean
  }
  interface FastifyInstance {
    /** The methods of the path that a request asks for; none: there is no such path. */
    allowedMethods(request: FastifyRequest): string[]
  }
}

interface Path {
  shape: RegExp
  host: RegExp | null
  methods: Set<string>
}

/** The paths that a route pattern stands for: `:name` is one segment, `*` the rest. */
const shapeOf = (pattern: string) => {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`)
}

/** Remembers the routes that are added from here on, for `allowedMethods`. */
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
}

/**
 * Is the path there, for other methods? Then `Allow` names them (RFC 9110 §15.5.6).
 * @returns false when there is no such path
 */
export const allowOthers = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const methods = request.server.allowedMethods(request)
  if (methods.length > 0) reply.header('allow', methods.join(', '))
  return methods.length > 0
}
