/** English: the pages on which owners of apps maintain them. */

import { message, phraseOf } from '../message.ts'
import { developerChanges } from './developer-changes.ts'
import { developerRequests } from './developer-requests.ts'
import { developerSandbox } from './developer-sandbox.ts'
import { developerWebhooks } from './developer-webhooks.ts'

export const developer = {
  changes: developerChanges,
  webhooks: developerWebhooks,
  requests: developerRequests,
  sandbox: developerSandbox,

  apps: {
    title: 'Apps you maintain',
    heading: 'Apps you maintain',
    lead: 'You are an owner of these apps.',
    emptyHeading: 'You maintain no app',
    empty:
      'The operator of this service names the owners of each app. If you make an app that is registered here, ask the operator to name you as an owner. Give the e-mail address of your account.',
    guide: 'Guide for makers of apps',
    interfaces: { current: 'Current interface', legacy: 'Legacy interface' },
    clientTypes: { confidential: 'Confidential', public: 'Public' },
    ids: { current: 'Client ID', legacy: 'App ID' },
    disabled: 'Disabled by the operator',
    /** `isMore`: there are more than that. */
    installed: message(
      '{amount, plural, =0 {Not installed anywhere} one {Installed in 1 organization} other {Installed in {isMore, select, true {more than {amount, number} organizations} other {{amount, number} organizations}}}}',
      'amount',
      'isMore',
    ),
  },

  app: {
    title: message('{name}: app you maintain', 'name'),
    facts: 'Registration',
    interface: 'Interface',
    clientType: 'Client type',
    clientTypes: {
      confidential: 'Confidential: it runs on a server and keeps a secret or a key',
      public: 'Public: it cannot keep a secret',
    },
    redirectUris: 'Redirect URIs',
    permissions: 'Permissions that it may request',
    noPermissions: 'none',
    sayNeeds:
      'People can leave out each of these, and the app may then fail. Say what it can do without: Change the app.',
    publisher: 'Publisher',
    keys: 'Public keys',
    workloads: 'Programs without a secret',
    installs: 'Installs',
    suspended: message(
      'Suspended in {amount, plural, one {1 organization} other {{isMore, select, true {more than {amount, number} organizations} other {{amount, number} organizations}}}}',
      'amount',
      'isMore',
    ),
    disabled:
      'The operator has disabled this app. It gets no tokens until the operator enables it.',
    secrets: 'Secrets',
    secret: {
      hint: 'Ends in',
      created: 'Created',
      lastUsed: 'Last used',
      until: 'Ends',
      open: 'No end date',
    },
    deleteSecret: 'Delete',
    noSecret: 'No secret is active, so the app gets no tokens until you create one.',
    replace: 'Replace the secret',
    create: 'Create a secret',
    outdated:
      'The secrets of the app have changed since you opened the form, so nothing was changed now. This is the current state.',
    deleted: 'The secret is deleted.',
    changes: 'Latest changes of the secrets',
    change: {
      created: phraseOf('{actor} created a secret', 'actor'),
      leaked: phraseOf('{actor} replaced a leaked secret, which ended all tokens', 'actor'),
      deleted: phraseOf('{actor} deleted a secret', 'actor'),
    },
    actors: {
      you: 'You',
      operator: 'The operator',
      formerUser: 'A deleted user',
      other: 'The server',
    },
    /** Why pages show the first letter of the name instead of the logo. */
    logoFaults: {
      svg: 'The logo is an SVG. Name a PNG, JPEG or WebP. Until then, pages show the first letter of the name.',
      image:
        'The logo cannot be shown: it is no PNG, JPEG or WebP, it is damaged, or it has more than 2048 × 2048 pixels.',
      too_large: 'The logo cannot be shown: it is larger than 1 MiB.',
      address:
        'The logo cannot be fetched: its address leads to a network that this server does not connect to, or answers with a redirect.',
      unreachable: 'The logo could not be fetched: its server did not answer with an image.',
    },
    back: 'All apps you maintain',
  },

  obstacles: {
    public: 'This app is public: it cannot keep a secret, so it has none.',
    keys: 'This app authenticates with its own keys (private_key_jwt), so it has no secret.',
  },

  replace: {
    title: 'Replace a secret',
    heading: phraseOf('Replace the secret of {name}', 'name'),
    createHeading: phraseOf('Create a secret for {name}', 'name'),
    lead: 'The new secret is shown once, on the next page.',
    legend: 'The secret in use',
    keep: 'It keeps working for a while',
    keepHint:
      'You have time to give the new secret to the app. Its tokens and the access that people gave it stay.',
    overlap: 'How long it keeps working',
    overlaps: { hour: '1 hour', day: '1 day', week: '7 days', month: '30 days' },
    leaked: 'It leaked: it stops now, and all tokens of the app end',
    leakedHint: message(
      'The app stops until it has the new secret, and people have to allow it again.{amount, plural, =0 {} one { It is installed in 1 organization.} other { It is installed in {isMore, select, true {more than {amount, number} organizations} other {{amount, number} organizations}}.}}',
      'amount',
      'isMore',
    ),
    full: message(
      '{until, select, none {Two secrets are active, the most that an app can have. If one of them leaked, you can stop both now.} other {Two secrets are active, the most that an app can have. The first one ends on {until}; then you can replace the other one. If one of them leaked, you can stop both now.}}',
      'until',
    ),
    chooseFault: 'Choose what happens to the secret in use.',
    tooMany: 'No secret was created, because two are active.',
    submit: 'Create the new secret',
  },

  deletion: {
    title: 'Delete a secret',
    heading: phraseOf('Delete the secret of {name} that ends in {hint}', 'name', 'hint'),
    lead: 'It stops working at once. The tokens of the app and the access that people gave it stay.',
    leaked: 'It leaked? Replace it instead, and end the tokens too.',
    last: 'This is the only active secret. Without it the app gets no tokens and renews none, until you create a new one and give it to the app.',
    submit: 'Delete the secret',
  },

  secret: {
    title: 'New secret',
    heading: phraseOf('The new secret of {name}', 'name'),
    lost: 'If you lose it, replace it again.',
    labels: { current: 'Client Secret', legacy: 'App Secret' },
    usage: {
      current: 'The app authenticates with it and its Client ID. Keep it on your servers only.',
      legacy: 'The app authenticates with it and its App ID. Keep it on your servers only.',
    },
    ends: message('The secret that ends in {hint} works until {until}.', 'hint', 'until'),
    goneHeading: 'This secret was already shown',
    gone: 'A secret is shown once, to the person who created it, within five minutes. If you did not store it, replace it again.',
    back: 'Back to the app',
  },
}
