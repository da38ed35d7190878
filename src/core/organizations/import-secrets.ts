// Lines with secrets: apps and key sets. A secret is applied once; what was changed here since stays.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { changedFields, patched } from '../audit/changes.ts'
import type { Apps, RegisteredApp } from '../clients/apps.ts'
import {
  type Applicability,
  type AppliedValue,
  importedSecret,
  type NewSecret,
} from '../credentials/secrets.ts'
import { hasOwnForm } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { faultAt } from '../language/faults.ts'
import { Invalid, idTaken } from '../language/service-errors.ts'
import { readHash, textOfKeycloak } from '../people/foreign-hash.ts'
import { changedHere, LineRefused } from './import-attempts.ts'
import type { GivenSecret, KeySetRow, LineOutcome, SingleLine } from './import-lines.ts'
import { type SourcedLineStore, stateOf } from './import-sourced.ts'
import type { KeySetKey } from './key-set.ts'
import { isSecretShaped, type NewKeySetSecret, sealPlace } from './key-set-secrets.ts'
import type { KeySets } from './key-sets.ts'

type AppFields = Omit<(SingleLine & { type: 'app' })['row'], keyof GivenSecret>

/** `id`: the client id of an app, the id of a key set. */
interface SecretOwner {
  table: 'app_secrets' | 'key_set_secrets'
  id: string
}

/** A secret that an import brings. */
type ImportedSecret = NewSecret & { applied: AppliedValue; sealed?: Buffer | null }

export interface ImportedSecretStore {
  /** Is this the client id of an app or a resource server, or the id of a user? */
  isTaken(clientId: string): Promise<boolean>
  judge(value: AppliedValue, owner: SecretOwner): Promise<Applicability>
  /** Locks the owner, judges the secret again, and lets a new one replace the one that an import brought. */
  replace(owner: SecretOwner, secret: ImportedSecret, event: AuditEvent): Promise<Applicability>
}

const plainText = /^[\x20-\x7e]{1,1024}$/

/** @returns the hash as text @throws Invalid for one that this server does not verify */
export const checkedHash = (hash: NonNullable<GivenSecret['secretHash']>, field: string) => {
  const text = typeof hash === 'string' ? hash : textOfKeycloak(hash)
  const read = readHash(text)
  if (!read)
    throw new LineRefused(`${field} is not a hash of a form and a cost that this server takes`)
  return { text: read.kind === 'sha256' ? text.toLowerCase() : text, kind: read.kind }
}

/** A secret of a legacy key set is sent as it is, so it must not look like another kind of token. */
const demandKeySetSecret = ({ interface: generation, secret }: KeySetRow) => {
  if (secret === undefined) return
  const isOther = secret.startsWith('eyJ') || (hasOwnForm(secret) && !secret.startsWith('lkks_'))
  if (!isSecretShaped(secret) || (generation === 'legacy' && isOther))
    throw new LineRefused(
      'secret needs 16 to 256 visible ASCII characters, and must not be a token',
    )
}

export const createSecretImport = (deps: {
  store: ImportedSecretStore
  apps: Pick<Apps, 'put'>
  lines: SourcedLineStore
  keySets: Pick<KeySets, 'byClientId' | 'create' | 'change' | 'read'>
  keyring: Pick<Keyring, 'digest' | 'digests' | 'keyIds' | 'seal'>
}) => {
  const { store, apps, lines, keySets, keyring } = deps

  /** @throws LineRefused */
  const applies = async (verdict: Promise<Applicability>) => {
    if ((await verdict) === 'refused') throw changedHere('secret')
    return (await verdict) === 'applies'
  }

  /** @throws LineRefused for an app that was changed here since its last line of a source */
  const putFields = async (
    { clientId, source, ...draft }: AppFields,
    cause: Cause,
    secret?: NewSecret,
  ) => {
    const line = { subject: `app ${clientId}`, line: draft }
    const [judge] = source === undefined ? [] : await lines.judge([line])
    const admit = (now: RegisteredApp | null) => {
      const verdict = judge?.(stateOf(now)) ?? 'applies'
      const isSame = now && changedFields(now, patched<RegisteredApp>(now, draft)).length === 0
      if (verdict === 'refused' && !isSame) throw changedHere('app')
      return verdict !== 'unchanged'
    }
    const { status, app } = await apps.put(clientId, draft, cause, secret, admit)
    const state = stateOf(app)
    if (judge && state) await lines.record([{ ...line, state }])
    return status
  }

  const putApp = async ({ secret, secretHash, ...row }: AppFields & GivenSecret, cause: Cause) => {
    const { clientId, ...draft } = row
    if (secret === undefined && secretHash === undefined) return putFields(row, cause)
    if (draft.clientType === 'public')
      throw new LineRefused('client_type must not be public: a public app has no secret')
    if (secret !== undefined && !plainText.test(secret))
      throw new LineRefused('secret needs 1 to 1024 characters of printable ASCII')
    const given =
      secretHash === undefined
        ? { secret }
        : { secretHash: checkedHash(secretHash, 'secret_hash').text }
    const made = importedSecret(keyring, { kind: 'app_secret', subject: clientId }, given)
    const owner: SecretOwner = { table: 'app_secrets', id: clientId }
    const isNew = await applies(store.judge(made.applied, owner))
    const status = await putFields(row, cause, isNew ? made : undefined)
    if (status === 'created' || !isNew) return status
    const detail = { secret_id: made.id, retire_others_after_seconds: 0 }
    const event = auditEvent(cause, 'app_secret.created', { clientId, detail })
    return (await applies(store.replace(owner, made, event))) ? 'updated' : status
  }

  /** What is stored of the secret of a key set. @throws Invalid */
  const keySetSecret = (row: KeySetRow): NewKeySetSecret & { applied: AppliedValue } => {
    demandKeySetSecret(row)
    const about = { kind: 'key_set_secret', subject: row.clientId } as const
    if (row.secret !== undefined) {
      const made = importedSecret(keyring, about, { secret: row.secret })
      const isSealed = row.interface === 'current'
      const sealed = isSealed ? keyring.seal(Buffer.from(row.secret), sealPlace(made.id)) : null
      return { ...made, sealed }
    }
    const hash = row.secretHash === undefined ? null : checkedHash(row.secretHash, 'secret_hash')
    if (hash?.kind !== 'sha256' || row.interface !== 'legacy')
      throw new LineRefused('secret_hash must be of the form sha256:, and of a legacy key set')
    const { foreignHash: _, ...made } = importedSecret(keyring, about, {
      secretHash: hash.text,
    })
    return { ...made, digest: Buffer.from(hash.text.slice('sha256:'.length), 'hex'), sealed: null }
  }

  const changeKeySet = async (
    key: KeySetKey,
    { organization, interface: generation, name, description = null, permissions }: KeySetRow,
    cause: Cause,
  ) => {
    if (key.organizationId !== organization) throw idTaken('a key set of another organization')
    const before = await keySets.read(organization, key.id)
    if (before.interface !== generation)
      throw new Invalid([faultAt('/interface', 'interface_fixed', 'cannot change')])
    const patch = { name, description, permissions }
    return (await keySets.change(key, patch, cause)).updatedAt > before.updatedAt
  }

  const putKeySet = async (row: KeySetRow, cause: Cause): Promise<LineOutcome['status']> => {
    const { clientId, organization: organizationId, name, description = null, permissions } = row
    const made = keySetSecret(row)
    if (await store.isTaken(clientId)) throw idTaken('a client or a user')
    const key = await keySets.byClientId(clientId)
    const owner: SecretOwner = { table: 'key_set_secrets', id: key?.id ?? '' }
    const isUnknown = await applies(store.judge(made.applied, owner))
    if (!key) {
      if (!isUnknown) return 'unchanged'
      const draft = { organizationId, interface: row.interface, name, description, permissions }
      const secret = { clientId, secret: '', id: made.id, storedFor: () => made }
      await keySets.create(draft, cause, undefined, secret)
      return 'created'
    }
    const hasChanged = await changeKeySet(key, row, cause)
    const detail = { key_set_id: key.id, secret_id: made.id, retire_others_after_seconds: 0 }
    const event = auditEvent(cause, 'key_set.rotated', { organizationId, clientId, detail })
    const isNew = isUnknown && (await applies(store.replace(owner, made, event)))
    return isNew || hasChanged ? 'updated' : 'unchanged'
  }

  return { putApp, putKeySet }
}
