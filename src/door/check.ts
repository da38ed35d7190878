import {
  type Access,
  answerTo,
  authorize,
  bearerToken,
  type Credential,
  credentialIn,
  ProofInvalid,
  type VerificationError,
  type Verifier,
} from '#verify/verify'
import { originalRequest, type SentHeaders, sentHeaders } from './original-request.ts'
import type { Question } from './question.ts'

export type CheckOutcome =
  | 'allowed'
  | 'invalid'
  | 'forbidden'
  | 'unavailable'
  | 'misconfigured'
  | 'failed'

/** The answer to a check, and what is logged and counted about it. */
export interface CheckAnswer {
  status: 200 | 400 | 401 | 403 | 500 | 503
  /** Alternating names and values. */
  headers: readonly string[]
  body: string
  outcome: CheckOutcome
  /** A stable word; '' when allowed. */
  reason: string
  /** For the operator: a mistake in the configuration of the proxy, or an error. */
  hint?: string | undefined
  error?: unknown
}

const outcomes = { 401: 'invalid', 403: 'forbidden', 503: 'unavailable' } as const

const json = (error: string, error_description: string) =>
  JSON.stringify({ error, error_description })

const jsonHeaders = ['Content-Type', 'application/json; charset=utf-8']

/** The proxy asks a question that could mean anything, so no token passes. */
const misconfigured = (fault: string): CheckAnswer => ({
  status: 400,
  headers: jsonHeaders,
  body: json('invalid_request', `the proxy asks a faulty question: ${fault}`),
  outcome: 'misconfigured',
  reason: 'question',
  hint: fault,
})

const failed = (error: unknown): CheckAnswer => ({
  status: 500,
  headers: jsonHeaders,
  body: json('server_error', 'the check failed'),
  outcome: 'failed',
  reason: 'error',
  error,
})

/** @param accepts key-bound tokens are accepted, because the proxy names the original request */
const refused = (error: unknown, accepts: boolean, hint?: string): CheckAnswer => {
  const answer = answerTo(error, { dpop: accepts })
  if (!answer) return failed(error)
  const { error: code, error_description } = answer.body
  return {
    status: answer.status,
    headers: [...jsonHeaders, ...Object.entries(answer.headers).flat()],
    body: json(code, error_description),
    outcome: outcomes[answer.status],
    reason: (error as VerificationError).reason,
    hint,
  }
}

/** Answers the question of a proxy about a request. It never rejects, and each fault refuses. */
export const createCheck = (deps: {
  verifier: Pick<Verifier, 'verify'>
  questions: (query: string) => Question
  accessHeaders: (access: Access) => readonly string[]
  origins: readonly string[]
}) => {
  const { verifier, questions, accessHeaders, origins } = deps

  const credentialOf = (sent: SentHeaders): Credential | null => {
    const bearer = bearerToken(sent)
    if (bearer !== null) return bearer
    const original = originalRequest(sent, origins)
    if ('request' in original) return credentialIn(sent, original.request)
    const credential = credentialIn(sent, { method: '', url: '' })
    // No proof can be checked.
    if (credential !== null) throw new HiddenRequest(original.fault)
    return null
  }

  return async (query: string, rawHeaders: readonly string[]): Promise<CheckAnswer> => {
    const sent = sentHeaders(rawHeaders)
    const accepts = () => 'request' in originalRequest(sent, origins)
    try {
      const question = questions(query)
      if ('fault' in question) return misconfigured(question.fault)
      const credential = credentialOf(sent)
      const access = await authorize(verifier, credential, question.requirement)
      const headers = accessHeaders(access)
      return { status: 200, headers, body: '', outcome: 'allowed', reason: '' }
    } catch (error) {
      return refused(error, accepts(), error instanceof HiddenRequest ? error.fault : undefined)
    }
  }
}

/** A proof was sent, but the proxy does not say for which request. */
class HiddenRequest extends ProofInvalid {
  readonly fault: string

  constructor(fault: string) {
    super('proof_url')
    this.fault = fault
  }
}
