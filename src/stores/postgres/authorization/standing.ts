import type { AppInOrganization } from '../../../core/authorization/places.ts'
import type { StandingStore } from '../../../core/authorization/standing.ts'
import type { FoundSession } from '../../../core/people/session.ts'
import { type AppRow, appColumn, appJoins } from '../clients/app-columns.ts'
import { batchedRead, type InJson } from '../connection/batched-reads.ts'
import { type Columns, computed, nested, of, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { isLiveInstall, keptOut, liveConsent } from '../organizations/live.ts'
import { standingColumns } from '../organizations/organization-policies.ts'
import { isLive, sinceSeen } from '../people/sessions.ts'
import { asksForDevice, consent, installColumns, mayAsk, mayConnect } from './place-columns.ts'

interface PlaceRow extends Omit<AppInOrganization, 'install'> {
  install: InJson<NonNullable<AppInOrganization['install']>> | null
}

const placeColumns: Columns<PlaceRow> = {
  ...plain('organizationId'),
  install: nested(installColumns, 'i', 'id'),
  consent,
  mayConnect: mayConnect('a.client_id'),
  mayAsk,
  asksForDevice,
  ...standingColumns('a'),
  keptOut: keptOut('i', 'm.user_id'),
  connectionEpoch: computed('coalesce(ce.epoch, 0)'),
}

const placeOf = ({ install, ...place }: PlaceRow): AppInOrganization => ({
  ...place,
  install: install && { ...install, createdAt: new Date(install.createdAt) },
})

const sessionColumns: Columns<FoundSession> = {
  ...plain('id', 'userId'),
  credentialsEpoch: of('u'),
  ...plain('authenticatedAt', 'methods'),
  unseen: computed(sinceSeen),
}

interface StandingRow extends AppRow {
  session: FoundSession | null
  places: PlaceRow[] | null
}

const query = `
select ${appColumn}, s.session, (
  select json_agg(place) from (
    select ${selected(placeColumns, 'm')}
    from members m
    left join organization_policies p on p.organization_id = m.organization_id
    left join installs i
      on i.organization_id = m.organization_id and i.client_id = a.client_id and ${isLiveInstall('i')}
    left join consents c
      on c.user_id = m.user_id and c.organization_id = m.organization_id and c.client_id = a.client_id
     and ${liveConsent}
    left join connection_epochs ce
      on ce.user_id = m.user_id and ce.client_id = a.client_id and ce.organization_id = m.organization_id
    where m.user_id = s.user_id
  ) place) as places
from apps a ${appJoins}
left join lateral (
  select s.user_id, ${selected({ session: nested(sessionColumns, 's') })}
  from sessions s join users u on u.id = s.user_id
  where s.lineage_hash = $2 and s.token_hash = $3 and ${isLive('$4')}
) s on true
where a.client_id = $1`

export const createStandingStore = (database: Database): StandingStore => {
  const read = batchedRead<StandingRow>(
    database,
    query,
    ['text', 'text', 'text', 'integer'],
    'standing',
  )

  return {
    find: async (clientId, key) => {
      const { lineageHash = null, tokenHash = null, idle = 0 } = key ?? {}
      const row = await read([clientId, lineageHash, tokenHash, idle])
      if (!row) return null
      return { ...row, places: (row.places ?? []).map(placeOf) }
    },
  }
}
