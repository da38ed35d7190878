/** English: the activity of an organization. */
import type { ChangeableSettings } from '../../../core/clients/app-settings.ts'
import type { SnakeKeys } from '../../../core/language/case.ts'
import { events, reasons } from './activity-events.ts'
import { phrase } from './phrase.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const number = new Intl.NumberFormat('en-GB')
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

const count = (amount: number, one: string, many: string) =>
  `${number.format(amount)} ${amount === 1 ? one : many}`

/** Names of the settings of an app. */
const settings: Record<keyof SnakeKeys<ChangeableSettings>, string> = {
  access_token_seconds: 'lifetime of access tokens',
  client_type: 'client type',
  description: 'description',
  device_flow: 'whether it may use the device flow',
  dpop_bound_access_tokens: 'whether token requests need a DPoP proof',
  homepage_uri: 'website',
  identity_assertions: 'whether it may use assertions of the identity provider',
  id_token_signed_response_alg: 'signature algorithm of ID tokens',
  jwks: 'public keys',
  jwks_uri: 'address of the public keys',
  kind: 'kind',
  listed: 'whether the directory shows it',
  location: 'location',
  logo_uri: 'logo',
  may_act: 'apps that may act through it',
  name: 'name',
  openid: 'whether it may ask for the identity of people',
  owners: 'owners',
  permissions: 'permissions',
  pkce_required: 'whether PKCE is required',
  post_logout_redirect_uris: 'addresses after a sign-out',
  publisher: 'publisher',
  require_pushed_authorization_requests: 'whether requests must be pushed',
  reviewed: 'review',
  redirect_uris: 'redirect URIs',
  retry_window_seconds: 'retry window',
  security_profile: 'security profile',
  setup_uri: 'address after an installation',
  workloads: 'trusted workloads',
}

const fields: Record<string, string> = {
  ...settings,
  email: 'e-mail address',
  email_verified: 'whether the e-mail address is verified',
  workspace_ids: 'workspaces',
}

export const activity = {
  title: 'Activity',
  heading: (organization: string) => phrase`What happened in ${organization}`,
  lead: 'What people and apps did, and how much the apps are used. Times are in UTC.',

  events,
  unknownEvent: (type: string) => phrase`did ${type}`,
  reasons,
  unknownReason: (reason: string) => reason.replaceAll('_', ' '),
  gone: { app: (id: string) => `${id} (deleted)`, person: (id: string) => `${id} (deleted)` },
  nobody: 'an unknown person',
  nothing: 'something',
  actors: {
    operator: 'The operator',
    system: 'The server',
    anonymous: 'A visitor who was not signed in',
    client: 'An app',
    user: 'A user',
  },

  details: {
    may: (permissions: readonly string[]) => {
      return permissions.length === 0
        ? 'Without any permission of its own'
        : `May: ${permissions.join('; ')}`
    },
    shares: (scopes: readonly string[]) => {
      const [name, email] = [scopes.includes('profile'), scopes.includes('email')]
      const more = [...(name ? ['name'] : []), ...(email ? ['e-mail address'] : [])]
      return `Shares who the person is${more.length > 0 ? `, with ${more.join(' and ')}` : ''}`
    },
    allWorkspaces: 'In all workspaces, including future ones',
    workspaces: (amount: number) => `In ${count(amount, 'workspace', 'workspaces')}`,
    roles: { admin: 'As an admin', member: 'As a member' },
    changed: (names: readonly string[]) => {
      return `Changed: ${names.map((name) => fields[name] ?? name.replaceAll('_', ' ')).join(', ')}`
    },
    trusts: (workloads: readonly string[]) => `Trusts without a secret: ${workloads.join('; ')}`,
    undelivered: (amount: number) =>
      `${count(amount, 'event', 'events')} not delivered: the endpoint of the app failed for three days, or wants no more events`,
    overlap: (hours: number) => {
      const words = hours === 0 ? 'less than an hour' : count(hours, 'hour', 'hours')
      return `The previous secret works for ${words} more`
    },
  },

  day: (date: Date) => day.format(date),
  shortDay: (date: Date) => shortDay.format(date),
  time: (date: Date) => time.format(date),
  number: (amount: number) => number.format(amount),
  daysAgo: (days: number) => {
    if (days < 60) return relative.format(-days, 'day')
    return days < 730
      ? relative.format(-Math.round(days / 30.4), 'month')
      : relative.format(-Math.floor(days / 365), 'year')
  },

  trail: {
    heading: 'Trail',
    from: 'from',
    reference: 'reference',
    onlyReference: 'Show this request only',
    empty: 'Nothing has happened yet.',
    nothingFound: 'No entry matches this filter.',
    older: 'Older',
    newer: 'Newer',
    pages: 'Pages of the trail',
  },

  filter: {
    heading: 'Filter or download',
    group: 'What',
    anything: 'Everything',
    groups: {
      apps: 'Apps and requests for them',
      access: 'Access and tokens',
      keys: 'Key sets',
      people: 'People and roles',
      organization: 'Organization and workspaces',
    },
    client: 'App or key set',
    anyClient: 'All',
    person: 'Person',
    anyone: 'Everyone',
    from: 'First day',
    to: 'Last day',
    request: 'Reference',
    show: 'Show',
    clear: 'Show everything',
    download: 'Download as CSV',
    downloadHint: (most: number) =>
      `The download contains the filtered entries, at most the newest ${number.format(most)}.`,
    faults: {
      from: 'Enter the first day as year-month-day, such as 2026-05-03.',
      to: 'Enter the last day as year-month-day. It must not be before the first day.',
      request: 'A reference has letters, digits, hyphens and underscores only.',
    },
  },

  charts: {
    heading: 'The last 30 days',
    table: 'The same as a table',
    tokens: {
      heading: 'Tokens issued per day',
      summary: (total: number, apps: number) =>
        `Bars for 30 days: ${count(total, 'token', 'tokens')} for ${count(apps, 'app', 'apps')}.`,
      most: (amount: number, on: string) => `Most on ${on}: ${number.format(amount)}.`,
      bar: (app: string, on: string, amount: number) => `${on}, ${app}: ${number.format(amount)}`,
      others: 'Other apps',
      day: 'Day',
      none: 'No token was issued in the last 30 days.',
    },
    refusals: {
      heading: 'Requests refused',
      lead: 'Requests of apps that are installed here. Other requests are refused earlier and not counted.',
      reason: 'Reason',
      count: 'How often',
      none: 'No request was refused in the last 30 days.',
    },
    secrets: {
      heading: 'Secrets by last use',
      lead: 'Retire secrets that are no longer used.',
      summary: (amount: number, unused: number) =>
        `${count(amount, 'secret', 'secrets')}, ${unused === 0 ? 'all of them used' : `${number.format(unused)} of them never used`}.`,
      made: 'Created',
      lastUsed: 'Last used',
      neverUsed: 'never used',
      used: (when: string) => `used ${when}`,
      name: 'Name',
      kind: 'Kind',
      hint: 'Ends in',
      kinds: { key_set: 'Key set', app: 'App' },
      axis: [
        { days: 365, label: 'a year' },
        { days: 30, label: 'a month' },
        { days: 7, label: 'a week' },
        { days: 0, label: 'today' },
      ],
      more: (amount: number) => `and ${number.format(amount)} more in the table`,
      key: 'A ring marks the creation, a dot the last use. For an app, the last use in this organization counts.',
      none: 'There are no secrets.',
    },
  },

  csv: {
    columns: [
      'time',
      'event',
      'who',
      'what',
      'details',
      'actor_kind',
      'actor_id',
      'client_id',
      'app_or_key_set',
      'user_id',
      'person',
      'address',
      'request_id',
    ],
  },
}
