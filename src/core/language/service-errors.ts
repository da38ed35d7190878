import type { Fault } from './faults.ts'

/** Why a request conflicts with stored data; stable, for programs. */
export type ConflictReason =
  | 'changed_meanwhile'
  | 'built_in_permission'
  | 'change_outdated'
  | 'change_waits'
  | 'delivery_waits'
  | 'document_app'
  | 'document_app_has_no_secrets'
  | 'email_taken'
  | 'has_password'
  | 'host_refused'
  | 'id_taken'
  | 'last_redirect_uri'
  | 'mail_not_configured'
  | 'not_a_member'
  | 'passwords_refused'
  | 'permission_in_use'
  | 'public_app_has_no_secrets'
  | 'resource_taken'
  | 'review_decided'
  | 'sandbox_exists'
  | 'sandbox_full'
  | 'too_many_secrets'
  | 'too_many_streams'
  | 'too_many_webhooks'
  | 'twin_taken'
  | 'user_disabled'
  | 'webhook_disabled'

/** The object does not exist, or the caller may not know of it. */
export class NotFound extends Error {
  readonly what: string

  constructor(what: string) {
    super(`no such ${what}`)
    this.name = 'NotFound'
    this.what = what
  }
}

/** The operator's token does not have the permission, or reaches too few organizations. */
export class Forbidden extends Error {
  readonly permission: string

  constructor(permission: string, detail: string) {
    super(detail)
    this.name = 'Forbidden'
    this.permission = permission
  }
}

/** The input is valid but conflicts with stored data. */
export class Conflict extends Error {
  readonly reason: ConflictReason
  /** Public members of the problem document (RFC 9457 §3.2). */
  readonly members: Readonly<Record<string, number>>

  constructor(
    reason: ConflictReason,
    detail: string,
    members: Readonly<Record<string, number>> = {},
  ) {
    super(detail)
    this.name = 'Conflict'
    this.reason = reason
    this.members = members
  }
}

export const idTaken = (by: string) => new Conflict('id_taken', `the id belongs to ${by}`)

/** The resource is not in the state that the caller demands (RFC 9110 §15.5.13). */
export class PreconditionFailed extends Error {
  constructor() {
    super('the resource is not the version that If-Match or If-None-Match demands; read it again')
    this.name = 'PreconditionFailed'
  }
}

/** What the cursor leads to is no longer kept. */
export class CursorExpired extends Error {
  constructor() {
    super('what the cursor leads to is no longer kept; begin again')
    this.name = 'CursorExpired'
  }
}

export const editConflict = () =>
  new Conflict('changed_meanwhile', 'another user has changed it since it was shown')

/** The input breaks rules; `faults` lists all of them. Details never echo input. */
export class Invalid extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super('the input is invalid')
    this.name = 'Invalid'
    this.faults = faults
  }
}

/** @throws NotFound for null */
export const found = <Value>(value: Value | null, what: string): Value => {
  if (value === null) throw new NotFound(what)
  return value
}

/** Handles an error: null for what does not exist. @throws any other error */
export const nullIfMissing = (error: unknown): null => {
  if (error instanceof NotFound) return null
  throw error
}

/** @throws Invalid when there is any fault */
export const refuse = (faults: readonly Fault[]) => {
  if (faults.length > 0) throw new Invalid(faults)
}
