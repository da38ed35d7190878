/** English: the operator's console. */
import { operatorApps } from './operator-apps.ts'
import { operatorDaily } from './operator-daily.ts'
import { operatorForms } from './operator-forms.ts'
import { operatorOrganizations } from './operator-organizations.ts'
import { operatorOverview } from './operator-overview.ts'
import { operatorSettings } from './operator-settings.ts'

const shared = {
  navigation: 'The operator’s console',
  all: 'all',

  tabs: {
    overview: 'Overview',
    apps: 'Apps',
    organizations: 'Organizations',
    people: 'People',
    servers: 'Resource servers',
    permissions: 'Permissions',
    keys: 'Signing keys',
    webhooks: 'Webhooks',
    audit: 'Audit',
    health: 'Health',
    tokens: 'Operator tokens',
  },

  /** Instead of a page: passkeys do not work here. */
  withoutPasskeys: {
    heading: 'Passkeys do not work at this address',
    lead: 'Operators sign in with a passkey. Set ISSUER to an https address with a host name, or on this computer to http://localhost with the port.',
  },

  columns: {
    about: 'About',
    action: 'Action',
    actor: 'By',
    after: 'After',
    age: 'Since',
    algorithm: 'Algorithm',
    app: 'App',
    attempts: 'Attempts',
    before: 'Before',
    changed: 'Changed',
    created: 'Created',
    description: 'Description',
    email: 'E-mail',
    ends: 'Ends',
    event: 'Event',
    events: 'Events',
    hint: 'Ends in',
    host: 'Host',
    id: 'Id',
    interface: 'Interface',
    key: 'Key',
    lastUsed: 'Last used',
    name: 'Name',
    organization: 'Organization',
    outcome: 'Outcome',
    people: 'People',
    permission: 'Permission',
    permissions: 'Permissions',
    policy: 'Apps that you have not reviewed',
    resource: 'Resource',
    retired: 'Retired',
    role: 'Role',
    sentence: 'What people read',
    setting: 'Setting',
    state: 'State',
    time: 'Time',
    type: 'Type',
    address: 'Address',
    user: 'User',
    where: 'Where',
    who: 'Who',
  },

  states: {
    active: 'Active',
    disabled: 'Disabled',
    suspended: 'Suspended',
    reviewed: 'Reviewed',
    notReviewed: 'Not reviewed',
    newApp: 'New app',
    change: 'Change',
    retired: 'Retired',
    next: 'Next',
  },

  interfaces: { current: 'Current', legacy: 'Legacy' },
  clientTypes: { confidential: 'Confidential: it can keep a secret', public: 'Public: it cannot' },
  roles: { admin: 'Admin', member: 'Member' },

  health: {
    heading: 'Health',
    up: 'Ready',
    down: 'Unavailable',
    stores: 'Stores',
    server: 'Server',
    labels: {
      postgres: 'Postgres',
      redis: 'Redis',
      version: 'Version',
      webhooks: 'Webhook messages that wait',
      migration: 'Latest migration',
    },
  },

  tokens: {
    heading: 'Operator tokens',
    lead: 'For programs that call the Operator API. People sign in here with a passkey.',
    create: 'Create a token',
    empty: 'There is no token. The one of the configuration is not listed.',
    remove: 'Delete',
    operators: 'Operators',
    noOperators: 'No user is an operator.',
  },

  secret: {
    heading: 'The new secret',
    lost: 'If you lose it, create another one and delete this one.',
    labels: { client: 'Client id', token: 'Token id', webhook: 'Webhook id' },
    secret: 'Secret',
    usage: 'Keep it where only the program can read it.',
    goneHeading: 'This secret was already shown',
    gone: 'A secret is shown once, to the person who created it, within five minutes.',
    back: 'Continue',
  },
}

export const operator = {
  ...shared,
  ...operatorApps,
  ...operatorOrganizations,
  ...operatorOverview,
  ...operatorSettings,
  daily: operatorDaily,
  forms: operatorForms,
}
