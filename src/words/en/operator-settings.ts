/** English: what the operator's console shows of data APIs, permissions, keys, webhooks and the audit trail. */

export const operatorSettings = {
  servers: {
    heading: 'Resource servers',
    lead: 'The data APIs that may check tokens.',
    register: 'Register a resource server',
    empty: 'No resource server is registered.',
    remove: 'Delete',
    everything: 'Everything',
  },

  permissions: {
    heading: 'Permission catalogue',
    add: 'Add a permission',
    empty: 'There are no permissions.',
    builtIn: 'Built in',
    own: 'Yours',
  },

  keys: {
    heading: 'Signing keys',
    lead: 'They sign access tokens and ID tokens. Rotate them at least once a year.',
    rotate: 'Rotate the keys',
    empty: 'There is no key.',
  },

  webhooks: {
    heading: 'Webhooks',
    one: 'A webhook',
    create: 'Add a webhook',
    empty: 'There is no webhook.',
    deliveries: 'Deliveries',
    noDeliveries: 'Nothing was sent yet.',
    everyEvent: 'All events',
    everyApp: 'All apps',
    test: 'Send a test message',
    disable: 'Disable',
    enable: 'Enable',
    remove: 'Delete',
  },

  audit: {
    heading: 'Audit',
    lead: 'Who did what and where, newest first.',
    filters: { actor_id: 'Id of the actor' },
  },
}
