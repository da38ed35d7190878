/** What the audit trail has of a refused request. Events of earlier versions have the reason only. */
export interface Refusal {
  /** Stable sub-reason. */
  reason: string
  /** The code of the answer (RFC 6749 §5.2). */
  error: string | null
  status: number | null
  /** The pattern of the path. */
  endpoint: string | null
  /** The grant type as it is counted. */
  grant: string | null
}

/** What is recorded of a refusal that a person met at a page. */
export interface PageRefusal extends Omit<Refusal, 'grant'> {
  /** Which page it was, by the name of its words. */
  page: string
}

const textOr = <Other>(value: unknown, other: Other) => (typeof value === 'string' ? value : other)

/** Reads the detail of `token.refused` and of a refused page. @returns `page`: null for a token request */
export const refusalIn = (detail: Record<string, unknown>): Refusal & { page: string | null } => ({
  page: textOr(detail.page, null),
  reason: textOr(detail.reason, ''),
  error: textOr(detail.error, null),
  status: typeof detail.status === 'number' ? detail.status : null,
  endpoint: textOr(detail.endpoint, null),
  grant: textOr(detail.grant, null),
})
