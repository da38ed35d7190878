/** RFC 7644 §3.12, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A refused SCIM request. The detail is public and never echoes what was sent. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | null

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

export const invalidSyntax = (detail: string) => new ScimError(400, 'invalidSyntax', detail)
export const tooMany = (detail: string) => new ScimError(400, 'tooMany', detail)
export const invalidValue = (detail: string) => new ScimError(400, 'invalidValue', detail)

/** @throws ScimError 404 for null */
export const foundResource = <Value>(value: Value | null): Value => {
  if (value === null) throw new ScimError(404, null, 'there is no such resource')
  return value
}
