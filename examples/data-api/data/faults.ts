interface Extensions {
  code: string
  /** In the input, such as `filter.conditions[1].comparison.operator`. */
  place?: string
  /** What may stand there. */
  allowed?: readonly string[]
}

/** A request that cannot be fulfilled; GraphQL returns its message and extensions to the caller. */
export class Fault extends Error {
  readonly extensions: Extensions

  constructor(message: string, extensions: Extensions) {
    super(extensions.place === undefined ? message : `${extensions.place}: ${message}`)
    this.name = 'Fault'
    this.extensions = extensions
  }
}

const located = (place?: string) => (place === undefined ? {} : { place })

export const badInput = (message: string, place?: string, allowed?: readonly string[]) =>
  new Fault(allowed ? `${message}; allowed: ${allowed.join(', ')}` : message, {
    code: 'bad-input',
    ...located(place),
    ...(allowed && { allowed }),
  })

/** The same for unknown and foreign objects. */
export const notFound = (what: string, place?: string) =>
  new Fault(`there is no such ${what}`, { code: 'not-found', ...located(place) })

export const severalMatch = () => new Fault('more than one row matches', { code: 'several-match' })

/** Others write the same rows at the same time. */
export const conflict = () =>
  new Fault('others change these rows at the moment; try again', { code: 'conflict' })

export const tooCostly = (message: string, place?: string) =>
  new Fault(message, { code: 'too-costly', ...located(place) })
