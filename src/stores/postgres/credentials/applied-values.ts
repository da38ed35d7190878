// Values that imports apply once.
import { createHash } from 'node:crypto'
import type { Applicability, AppliedValue } from '../../../core/credentials/secrets.ts'
import { groupedBy } from '../../../core/language/grouped.ts'
import type { Queryable } from '../connection/database.ts'

/** `present` names the state of the subject now; null: it has no such value. */
export type JudgedValue = AppliedValue & { present: string | null }

/** The digest of a value that is no secret. */
export const digestOfValue = (value: unknown): Buffer =>
  createHash('sha256').update(JSON.stringify(value)).digest()

/** Rows as JSON, each with its position. */
export const numbered = (rows: readonly object[]): string =>
  JSON.stringify(rows.map((row, position) => ({ ...row, position })))

const keyOf = ({ kind, subject }: Pick<AppliedValue, 'kind' | 'subject'>) =>
  digestOfValue([kind, subject])

/** Compares values with those that were applied before. The subjects must be locked. */
export const judgeValues = async (tx: Queryable, values: readonly JudgedValue[]) => {
  const keys = values.map(keyOf)
  const rows = await tx.rows<{ subject: Buffer; digest: Buffer; ref: string }>(
    `select subject, digest, ref from applied_imports
      where subject = any($1::bytea[]) order by applied_at`,
    [keys],
    'applied_imports',
  )
  const bySubject = groupedBy(rows, ({ subject }) => subject.toString('hex'))
  return values.map(({ digests, present }, at): Applicability => {
    const known = bySubject.get((keys[at] as Buffer).toString('hex')) ?? []
    if (known.some((row) => digests.some((one) => one.equals(row.digest)))) return 'unchanged'
    return (known.at(-1)?.ref ?? null) === present ? 'applies' : 'refused'
  })
}

/** @param values each with the name of the state that it has made */
export const recordValues = async (
  tx: Queryable,
  values: readonly (AppliedValue & { ref: string })[],
): Promise<void> => {
  if (values.length === 0) return
  await tx.query(
    `insert into applied_imports (subject, digest, kind, ref)
     select * from unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[])
     on conflict do nothing`,
    [
      values.map(keyOf),
      values.map(({ digests }) => digests[0]),
      values.map(({ kind }) => kind),
      values.map(({ ref }) => ref),
    ],
  )
}
