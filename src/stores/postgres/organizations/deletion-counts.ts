import type { AppReach } from '../../../core/clients/app-change-rules.ts'
import type {
  DeletionCounts,
  OrganizationCounts,
  UserCounts,
} from '../../../core/organizations/deletion-counts.ts'
import type { Database } from '../connection/database.ts'
import { isLiveInstall } from './live.ts'

/** @param counts what is counted, by name */
const countsQuery = (counts: Record<string, string>) => {
  const columns = Object.entries(counts).map(([name, of]) => `(select ${of})::integer as "${name}"`)
  return `select ${columns.join(', ')}`
}

const ofOrganization = countsQuery({
  members: 'count(*) from members where organization_id = $1',
  workspaces: 'count(*) from workspaces where organization_id = $1',
  installs: `count(*) from installs where organization_id = $1 and ${isLiveInstall('installs')}`,
  keySets: 'count(*) from key_sets where organization_id = $1',
} satisfies Record<keyof OrganizationCounts, string>)

const ofApp = countsQuery({
  organizations: `count(*) from installs where client_id = $1 and ${isLiveInstall('installs')}`,
  people: 'count(distinct user_id) from consents where client_id = $1',
} satisfies Record<keyof AppReach, string>)

const ofUser = countsQuery({
  organizations: 'count(*) from members where user_id = $1',
  apps: 'count(distinct client_id) from consents where user_id = $1',
  owned: `count(*) from app_owners o where user_id = $1 and not exists (
    select from app_owners other where other.client_id = o.client_id and other.user_id <> o.user_id)`,
} satisfies Record<keyof UserCounts, string>)

export const createDeletionCounts = (database: Database): DeletionCounts => ({
  ofOrganization: (id) => database.one(ofOrganization, [id]),
  ofApp: (id) => database.one(ofApp, [id]),
  ofUser: (id) => database.one(ofUser, [id]),
})
