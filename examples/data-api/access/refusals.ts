import { answerTo, isVerificationError, legacyError } from '@latchkey-auth/verify'
import type { Generation } from './guard.ts'

/** An operation that its token does not allow: an entry in `errors`, and its HTTP status. */
export class Refusal extends Error {
  readonly extensions: { code: string }
  readonly status: number
  readonly headers: Record<string, string>

  constructor(message: string, code: string, status: number, headers: Record<string, string>) {
    super(message)
    this.name = 'Refusal'
    this.extensions = { code }
    this.status = status
    this.headers = headers
  }
}

/** A valid token of an organization that is not in the data: an empty list would hide why. */
export const unknownOrganization = (generation: Generation, id: string) =>
  new Refusal(
    `this data API does not know the organization ${id} of the token: it is not among its data`,
    'unknown-organization',
    generation === 'current' ? 404 : 200,
    {},
  )

/**
 * The legacy interface reports everything in `errors`, above all `token-invalid`; the current one
 * is a protected resource of RFC 6750, with status and challenge. If the token cannot be verified
 * now, both answer 503. @returns other errors unchanged
 */
export const refusalOf = (
  generation: Generation,
  error: unknown,
  resourceMetadata: string,
): unknown => {
  const answer = answerTo(error, { realm: 'data', resourceMetadata, dpop: true })
  if (!answer || !isVerificationError(error)) return error
  const { status, headers, body } = answer
  if (generation === 'current')
    return new Refusal(body.error_description, body.error, status, headers)
  const { message, extensions } = legacyError(error)
  return status === 503
    ? new Refusal(message, extensions.code, status, headers)
    : new Refusal(message, extensions.code, 200, {})
}
