/** A request that cannot be fulfilled; GraphQL returns its message and code to the caller. */
export class Fault extends Error {
  readonly extensions: { code: string }

  constructor(message: string, code: string) {
    super(message)
    this.name = 'Fault'
    this.extensions = { code }
  }
}

export const badInput = (message: string) => new Fault(message, 'bad-input')

/** The same for unknown and foreign objects. */
export const notFound = (what: string) => new Fault(`there is no such ${what}`, 'not-found')

export const severalMatch = () => new Fault('more than one row matches', 'several-match')
