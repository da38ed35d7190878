/** Something that cannot be done as it was asked for; GraphQL tells the caller its message and its code. */
export class Fault extends Error {
  readonly extensions: { code: string }

  constructor(message: string, code: string) {
    super(message)
    this.name = 'Fault'
    this.extensions = { code }
  }
}

export const badInput = (message: string) => new Fault(message, 'bad-input')

/** The same for what does not exist and for what is somebody else's. */
export const notFound = (what: string) => new Fault(`there is no such ${what}`, 'not-found')

export const severalMatch = () => new Fault('more than one row matches', 'several-match')
