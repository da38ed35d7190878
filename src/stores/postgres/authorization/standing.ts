import type { StandingStore } from '../../../core/authorization/standing.ts'
import type { Method } from '../../../core/people/sign-in-method.ts'
import { type AppRow, appColumn, appJoins } from '../clients/app-columns.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'
import { isLive, sinceSeen } from '../people/sessions.ts'
import { type ConsentRow, consentColumns, consentOf } from './consent-columns.ts'

interface PlaceRow extends Omit<ConsentRow, 'consent_install_id'> {
  organization_id: string
  install_id: string | null
  install_permissions: string[]
  install_workspace_ids: string[] | null
  install_created_at: string
  suspended: boolean
  consent_install_id: string | null
  connection_epoch: number
}

interface StandingRow extends AppRow {
  session_id: string | null
  user_id: string
  credentials_epoch: number
  authenticated_at: number
  methods: Method[]
  unseen: number
  places: PlaceRow[] | null
}

const placeOf = (row: PlaceRow) => ({
  organizationId: row.organization_id,
  install:
    row.install_id === null
      ? null
      : {
          id: row.install_id,
          permissions: row.install_permissions,
          workspaceIds: row.install_workspace_ids,
          createdAt: new Date(row.install_created_at),
          suspended: row.suspended,
        },
  consent:
    row.consent_install_id === null
      ? null
      : consentOf({ ...row, consent_install_id: row.consent_install_id }),
  connectionEpoch: row.connection_epoch,
})

const query = `
select ${appColumn}, s.*, (
  select json_agg(p) from (
    select m.organization_id, i.id as install_id, i.permissions as install_permissions,
      i.workspace_ids as install_workspace_ids, i.created_at as install_created_at,
      i.suspended_at is not null as suspended, ${consentColumns},
      coalesce(ce.epoch, 0) as connection_epoch
    from members m
    left join installs i
      on i.organization_id = m.organization_id and i.client_id = a.client_id and i.ended_at is null
    left join consents c
      on c.user_id = m.user_id and c.organization_id = m.organization_id and c.client_id = a.client_id
    left join connection_epochs ce
      on ce.user_id = m.user_id and ce.client_id = a.client_id and ce.organization_id = m.organization_id
    where m.user_id = s.user_id
  ) p) as places
from apps a ${appJoins}
left join lateral (
  select s.id as session_id, s.user_id, u.credentials_epoch, s.authenticated_at, s.methods,
    ${sinceSeen} as unseen
  from sessions s join users u on u.id = s.user_id
  where s.lineage_hash = $2 and s.token_hash = $3 and ${isLive('$4')}
) s on true
where a.client_id = $1`

export const createStandingStore = (database: Database): StandingStore => {
  const read = batchedRead<StandingRow>(database, {
    name: 'standing',
    query,
    types: ['text', 'text', 'text', 'integer'],
  })

  return {
    find: async (clientId, key) => {
      const { lineageHash = null, tokenHash = null, idle = 0 } = key ?? {}
      const row = await read([clientId, lineageHash, tokenHash, idle])
      if (!row) return null
      const session =
        row.session_id === null
          ? null
          : {
              id: row.session_id,
              userId: row.user_id,
              credentialsEpoch: row.credentials_epoch,
              authenticatedAt: row.authenticated_at,
              methods: row.methods,
              unseen: row.unseen,
            }
      return { app: row.app, session, places: (row.places ?? []).map(placeOf) }
    },
  }
}
