import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../../core/language/errors.ts'

/** The parameters of a form, each once. A parameter without a value counts as absent (RFC 6749 §3.2). */
export interface Form extends ReadonlyMap<string, string> {
  /** The values of `resource`, at endpoints where it may be repeated (RFC 8707 §2); it is not in the map. */
  readonly resources: readonly string[]
}

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Name and value of each field as sent, repetitions included. */
export const readPairs = (request: FastifyRequest): [string, string][] => {
  if (!formType.test(request.headers['content-type'] ?? '')) {
    throw invalidRequest('the body must be application/x-www-form-urlencoded', 'content_type')
  }
  const body = (request.body ?? {}) as Record<string, string | string[]>
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string') pairs.push([name, value])
    else for (const one of value) pairs.push([name, one])
  }
  return pairs
}

/** @param takesResources `resource` may be repeated @throws OAuthError invalid_request for a repeated parameter */
export const readOnce = (
  pairs: readonly (readonly [string, string])[],
  takesResources = false,
): Form => {
  const form = new Map<string, string>()
  const resources: string[] = []
  for (const [name, value] of pairs) {
    if (takesResources && name === 'resource') {
      if (value !== '') resources.push(value)
      continue
    }
    if (form.has(name)) throw invalidRequest('a parameter is repeated', 'repeated_parameter')
    form.set(name, value)
  }
  for (const [name, value] of form) if (value === '') form.delete(name)
  return Object.assign(form, { resources })
}

/** @throws OAuthError invalid_request for another content type or a repeated parameter */
export const readForm = (request: FastifyRequest, takesResources = false): Form =>
  readOnce(readPairs(request), takesResources)

/** @throws OAuthError invalid_request when the parameter is absent */
export const required = (form: Form, name: string): string => {
  const value = form.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing`, `${name}_missing`)
  return value
}
