/** English: the activity of an organization. */
import type { ChangeableSettings } from '../../core/clients/app-settings.ts'
import type { SnakeKeys } from '../../core/language/case.ts'
import { formats } from '../formats.ts'
import { message, phraseOf } from '../message.ts'
import { events, reasons } from './activity-events.ts'

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
  uploaded_logo: 'uploaded logo',
  policy_uri: 'privacy policy',
  tos_uri: 'terms',
  may_act: 'apps that may act through it',
  name: 'name',
  openid: 'whether it may ask for the identity of people',
  owners: 'owners',
  optional_permissions: 'permissions that it can do without',
  permission_reasons: 'reasons for permissions',
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
  workloads: 'programs without a secret',
}

const fields = {
  ...settings,
  accent: 'accent colour',
  email: 'e-mail address',
  email_verified: 'whether the e-mail address is verified',
  locale: 'language',
  workspace_ids: 'workspaces',
}

export const activity = {
  title: 'Activity',
  heading: phraseOf('What happened in {organization}', 'organization'),
  lead: 'What people and apps did, and how much the apps are used.',

  streams: {
    heading: 'Systems that receive this activity',
    hint: 'Each event is sent to an address of yours, in order, signed, and again until your server accepts it.',
    none: 'None.',
    add: 'Add a receiver',
    change: 'Change a receiver',
    lead: 'It receives what happens in the organization from now on: who acted, on what, when, and from which address.',
    format: 'Format',
    formats: { latchkey: 'As in the Operator API', ocsf: 'OCSF 1.5.0' },
    secret: 'Signing secret',
    secretHint: 'whsec_ and 24 to 64 bytes in base64. Your server verifies signatures with it.',
    secretKept: 'Leave it empty to keep the present one.',
    lastSuccess: 'Last received',
    complete: 'Up to date',
    behind: message('{count, plural, one {# event waits} other {# events wait}}', 'count'),
    failing: message(
      '{count, plural, one {# event waits} other {# events wait}}: the last attempt failed ({error})',
      'count',
      'error',
    ),
    expired: 'Some events were removed before your server accepted them. The later ones follow.',
    test: 'One event of the type audit_stream.test. It is not part of the activity.',
    remove: 'Delete this receiver',
    removal: 'Nothing more is sent to it. What it has received stays there.',
    saved: 'Saved. Events follow within seconds.',
    deleted: 'The receiver is deleted.',
  },

  events,
  unknownEvent: phraseOf('did {type}', 'type'),
  reasons,
  gone: { app: message('{id} (deleted)', 'id'), person: message('{id} (deleted)', 'id') },
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
    may: message(
      '{permissions, select, none {Without any permission of its own} other {May: {permissions}}}',
      'permissions',
    ),
    shares: message(
      '{name, select, true {{email, select, true {Shares who the person is, with name and e-mail address} other {Shares who the person is, with name}}} other {{email, select, true {Shares who the person is, with e-mail address} other {Shares who the person is}}}}',
      'name',
      'email',
    ),
    allWorkspaces: 'In all workspaces, including future ones',
    inWorkspaces: message('In {workspaces}', 'workspaces'),
    workspaces: message('In {count, plural, one {# workspace} other {# workspaces}}', 'count'),
    roles: { admin: 'As an admin', member: 'As a member' },
    changed: message('Changed: {fields}', 'fields'),
    trusts: message('Trusts without a secret: {workloads}', 'workloads'),
    undelivered: message(
      '{count, plural, one {# event} other {# events}} not delivered: the endpoint of the app failed for three days, or wants no more events',
      'count',
    ),
    overlap: message(
      'The previous secret works for {hours, plural, =0 {less than an hour} one {# hour} other {# hours}} more',
      'hours',
    ),
  },

  /** Names of what a change may concern. */
  fields,

  /** Days of the trail and of the charts are counted in UTC. */
  day: formats.weekday,
  inUtc: message('{day} (UTC)', 'day'),
  shortDay: formats.shortDay,
  number: formats.number,
  daysAgo: formats.daysAgo,

  codes: {
    heading: 'For developers',
    event: 'Event',
    reason: 'Reason',
    app: 'Client id',
    person: 'User id',
    actor: 'By',
    organization: 'Organization id',
    detail: 'Detail',
  },

  trail: {
    /** In front of the description of an event. */
    actor: phraseOf('{actor}', 'actor'),
    heading: 'Events',
    noApp: 'People and organization',
    more: 'Details',
    from: 'From',
    reference: 'Reference',
    onlyReference: 'What happened in this request',
    helps: 'What helps:',
    within: phraseOf('in {organization}', 'organization'),
    empty: 'Nothing has happened yet.',
    nothingFound: 'No entry matches this filter.',
    older: 'Older',
    newer: 'Newer',
    pages: 'Pages of the trail',
  },

  filter: {
    more: 'Days, reference and download',
    anything: 'Everything',
    groups: {
      apps: 'Apps and requests for them',
      access: 'Access and tokens',
      keys: 'Keys for programs',
      people: 'People and roles',
      organization: 'Organization and workspaces',
    },
    anyClient: 'All',
    anyone: 'Everyone',
    labels: {
      group: 'What',
      client_id: 'App or key',
      user_id: 'Person',
      from: 'First day (UTC)',
      to: 'Last day (UTC)',
      request_id: 'Reference',
    },
    show: 'Show',
    clear: 'Show everything',
    download: 'Download as CSV',
    downloadHint: message(
      'The download contains the filtered entries, at most the newest {most, number}.',
      'most',
    ),
    faults: {
      from: 'Enter the first day as year-month-day, such as 2026-05-03.',
      to: 'Enter the last day as year-month-day. It must not be before the first day.',
      request_id: 'A reference has letters, digits, hyphens and underscores only.',
    },
  },

  charts: {
    heading: 'The last 30 days',
    table: 'The same as a table',
    tokens: {
      heading: 'Tokens issued per day',
      summary: message(
        'Bars for 30 days: {total, plural, one {# token} other {# tokens}} for {apps, plural, one {# app} other {# apps}}.',
        'total',
        'apps',
      ),
      most: message('Most on {on}: {amount, number}.', 'amount', 'on'),
      bar: message('{on}, {app}: {amount, number}', 'app', 'on', 'amount'),
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
      lead: 'End secrets that are no longer used.',
      summary: message(
        '{amount, plural, one {# secret} other {# secrets}}, {unused, plural, =0 {all of them used} one {# of them never used} other {# of them never used}}.',
        'amount',
        'unused',
      ),
      made: 'Created',
      lastUsed: 'Last used',
      neverUsed: 'never used',
      used: message('used {when}', 'when'),
      name: 'Name',
      kind: 'Kind',
      hint: 'Ends in',
      kinds: { key_set: 'Key', app: 'App' },
      axis: { year: 'a year', month: 'a month', week: 'a week', today: 'today' },
      more: message('and {amount, number} more in the table', 'amount'),
      key: 'A ring marks the creation, a dot the last use. For an app, the last use in this organization counts.',
      none: 'There are no secrets.',
    },
  },
}
