// The apps of an old server: what each becomes here, and what it loses.
import { redirectUriFault } from '../../core/clients/redirect-uri.ts'
import { ownIdPatterns } from '../../core/crypto/identifiers.ts'
import { firstName } from '../../core/language/display-text.ts'
import { inOrder } from '../../core/language/permissions.ts'
import { readHash } from '../../core/people/foreign-hash.ts'
import type { Choices } from './choices.ts'
import type { Losses } from './losses.ts'
import type { OldServer, Statement } from './old-server.ts'
import type { Row } from './old-store.ts'
import { isTrue, millisecondsOf, wordsOf } from './values.ts'

export interface OldApp {
  clientId: string
  name: string
  /** Its client id can be kept. */
  isTaken: boolean
  grants: number
  inFlight: number
  permissions: Set<string>
  /** Without the permissions. */
  line: object
}

const clientIdShape = new RegExp(ownIdPatterns.app)
/** An app needs a redirect URI; this host cannot exist (RFC 2606 §2). */
const noRedirect = 'https://no-redirect.invalid/'
const deviceCode = /device.code$/

/** A grant type that apps of the interface do not have, or null. */
const grantTypeFault = (type: string | null, generation: Choices['generation']) => {
  const own = generation === 'legacy' ? /^(?:authorization-code|implicit)$/ : deviceCode
  return !type || type === 'authorization-code' || own.test(type) ? null : type
}

/** Reads all apps, and records their losses. @returns them by their keys in the old store */
export const readApps = async (
  { secretOf, title }: OldServer,
  choices: Choices,
  losses: Losses,
  rows: (name: Statement) => AsyncIterable<Row>,
): Promise<Map<string, OldApp>> => {
  const { generation } = choices
  const apps = new Map<string, OldApp>()

  const secretFields = (row: Row, id: string) => {
    const stored = secretOf(row)
    const hash = stored?.secret_hash
    const isTaken = stored && (hash === undefined || readHash(hash))
    if (!isTaken)
      losses.lose(id, 'secret', stored ? 'the form of its hash is unknown' : 'it is empty')
    return isTaken ? stored : {}
  }

  const redirectUris = (row: Row, id: string, clientType: 'confidential' | 'public') => {
    const valid = [...new Set(wordsOf(row.redirect_uris))].filter((uri) => {
      const fault = redirectUriFault(uri, clientType)
      if (fault) losses.lose(id, 'redirect_uri', `${uri} ${fault}`)
      return !fault
    })
    return valid.length > 0 ? valid : [noRedirect]
  }

  const loseGrantType = (id: string, type: string) =>
    type === 'client-credentials' && generation === 'current'
      ? losses.lose(id, 'client_credentials')
      : losses.lose(id, 'grant_type', type)

  const see = (app: OldApp, scopes: string | null | undefined) => {
    for (const scope of wordsOf(scopes)) {
      const counterpart = choices.counterpartOf(scope)
      for (const one of counterpart ?? []) app.permissions.add(one)
      if (!counterpart) losses.lose(app.clientId, 'scope', scope)
      if (scope === 'openid' && generation === 'current') app.line = { ...app.line, openid: true }
    }
  }

  for await (const row of rows('apps')) {
    const id = row.client_id ?? ''
    const isConfidential = isTrue(row.confidential)
    const client_type = isConfidential ? 'confidential' : 'public'
    const isTaken = clientIdShape.test(id)
    if (!isTaken) losses.lose(id, 'client_id')
    const type = grantTypeFault(row.grant_type ?? null, generation)
    if (type) loseGrantType(id, type)
    const name = firstName([row.name, id]) ?? title
    const line = {
      type: 'app',
      client_id: id,
      name,
      interface: generation,
      client_type,
      redirect_uris: redirectUris(row, id, client_type),
      ...(isConfidential && secretFields(row, id)),
      ...(!type && deviceCode.test(row.grant_type ?? '') && { device_flow: true }),
      ...(row.algorithm && generation === 'current' && { openid: true }),
    }
    const permissions = new Set<string>()
    const app = { clientId: id, name, isTaken, line, grants: 0, inFlight: 0, permissions }
    apps.set(row.app ?? '', app)
    see(app, row.scopes)
  }
  const forApps = async (name: Statement, work: (app: OldApp, row: Row) => void) => {
    for await (const row of rows(name)) {
      const app = apps.get(row.app ?? '')
      if (app) work(app, row)
    }
  }
  await forApps('scopes', (app, row) => {
    see(app, row.scopes)
    if (isTrue(row.machine)) loseGrantType(app.clientId, 'client-credentials')
  })
  await forApps('repeated', ({ clientId }) => losses.lose(clientId, 'reuse'))
  const now = Date.now()
  await forApps('access', (app, { issued, expires_in, ends }) => {
    const end = ends ? millisecondsOf(ends) : millisecondsOf(issued) + Number(expires_in) * 1000
    if ((!ends && expires_in === null) || end > now) app.inFlight++
  })
  return apps
}

/** The line of an app with all permissions that its tokens have. */
export const lineOf = ({ line, permissions }: OldApp, { generation }: Choices) => ({
  ...line,
  type: 'app',
  permissions: inOrder(generation, [...permissions]),
})
