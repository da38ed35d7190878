// Values that imports apply once.
import { createHash } from 'node:crypto'
import type { Applicability, AppliedValue, Judge } from '../../../core/credentials/secrets.ts'
import { groupedBy } from '../../../core/language/grouped.ts'
import type { SourcedLine, SourcedLineStore } from '../../../core/organizations/import-sourced.ts'
import type { Database, Queryable } from '../connection/database.ts'

export type JudgedValue = AppliedValue & { present: Parameters<Judge>[0] }

/** The digest of a value that is no secret. */
export const digestOfValue = (value: unknown): Buffer =>
  createHash('sha256').update(JSON.stringify(value)).digest()

/** Rows as JSON, each with its position. */
export const numbered = (rows: readonly object[]): string =>
  JSON.stringify(rows.map((row, position) => ({ ...row, position })))

const keyOf = ({ kind, subject }: Pick<AppliedValue, 'kind' | 'subject'>) =>
  digestOfValue([kind, subject])

/** Reads the values that were applied before. The subjects must be locked until the judgement counts. */
const judgesOf = async (tx: Queryable, values: readonly AppliedValue[]): Promise<Judge[]> => {
  const keys = values.map(keyOf)
  const rows = await tx.rows<{ subject: Buffer; digest: Buffer; ref: string }>(
    `select subject, digest, ref from applied_imports
      where subject = any($1::bytea[]) order by applied_at`,
    [keys],
    'applied_imports',
  )
  const bySubject = groupedBy(rows, ({ subject }) => subject.toString('hex'))
  return values.map(({ kind, digests }, at) => {
    const known = bySubject.get((keys[at] as Buffer).toString('hex')) ?? []
    // A secret that was replaced never returns; a line may.
    const same = kind === 'line' ? known.slice(-1) : known
    const isKnown = same.some((row) => digests.some((one) => one.equals(row.digest)))
    const ref = known.at(-1)?.ref ?? null
    return (present) => (isKnown ? 'unchanged' : ref === present ? 'applies' : 'refused')
  })
}

/** Compares values with those that were applied before. The subjects must be locked. */
export const judgeValues = async (
  tx: Queryable,
  values: readonly JudgedValue[],
): Promise<Applicability[]> => {
  const judges = await judgesOf(tx, values)
  return values.map(({ present }, at) => judges[at]?.(present) ?? 'refused')
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
     on conflict (subject, digest) do update set ref = excluded.ref, applied_at = excluded.applied_at
       where applied_imports.kind = 'line'`,
    [
      values.map(keyOf),
      values.map(({ digests }) => digests[0]),
      values.map(({ kind }) => kind),
      values.map(({ ref }) => ref),
    ],
  )
}

const appliedLine = ({ subject, line }: SourcedLine): AppliedValue => ({
  kind: 'line',
  subject,
  digests: [digestOfValue(line)],
})

export const createSourcedLineStore = (database: Database): SourcedLineStore => ({
  judge: (lines) => judgesOf(database, lines.map(appliedLine)),
  record: (lines) =>
    recordValues(
      database,
      lines.map((one) => ({ ...appliedLine(one), ref: one.state })),
    ),
})
