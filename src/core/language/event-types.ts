/** How webhooks report an event. */
export interface EventRule {
  /** The public name, where it differs from the name in the audit trail. */
  type?: string
  forApps?: true
  /** Members of the event's detail that are public. */
  detail?: readonly string[]
}

const reach = ['permissions', 'workspace_ids'] as const
const end = ['expires_at', 'idle_seconds'] as const

/** These types, with the same rule. */
const all = <Type extends string, Rule extends EventRule | null>(rule: Rule, ...types: Type[]) =>
  Object.fromEntries(types.map((type) => [type, rule])) as Record<Type, Rule>

/**
 * Each type of event of the audit trail, and how webhooks report it; null: they do not. Refused requests and sign-ins are
 * not reported, because any sender could then decide how much we send. An app receives no event of users and
 * organizations that it has no access to yet, such as requests for its install.
 */
export const eventRules = {
  'install.approved': {
    type: 'install.created',
    forApps: true,
    detail: ['install_id', ...reach, ...end],
  },
  'install.self_installed': { forApps: true, detail: ['install_id', 'permissions'] },
  'install.changed': {
    forApps: true,
    detail: ['install_id', ...reach, 'audience', ...end, 'changed', 'previous'],
  },
  'install.permissions_declined': { forApps: true, detail: ['install_id', 'permissions'] },
  ...all({ forApps: true, detail: ['install_id'] }, 'install.suspended', 'install.resumed'),
  ...all({}, 'install.person_denied', 'install.person_admitted'),
  'install.ended': { type: 'install.deleted', forApps: true, detail: ['reason'] },
  'install.requested': { detail: ['permissions'] },
  ...all({}, 'install_request.approved', 'install_request.refused', 'install_request.reopened'),
  ...all({}, 'install_request.withdrawn', 'install_request.reminded', 'install_request.expired'),

  'consent.granted': { forApps: true, detail: [...reach, 'openid_scopes'] },
  'consent.changed': { forApps: true, detail: [...end, 'changed'] },
  'connection.ended': { forApps: true, detail: ['reason'] },
  ...all({ forApps: true }, 'connection.restored', 'grant.revoked', 'grant.reuse_detected'),
  'grant.taken_over': { forApps: true, detail: ['source'] },
  'grant.moved': { forApps: true, detail: ['legacy_client_id', 'permissions'] },

  'app.created': { detail: ['interface', 'client_type', 'permissions'] },
  'app.changed': { forApps: true, detail: ['changed', 'client_type', 'permissions'] },
  ...all({ forApps: true }, 'app.disabled', 'app.enabled'),
  'app.deleted': {},
  'app.twin_made': { forApps: true, detail: ['twin_client_id', 'worth'] },
  'app.twin_changed': { forApps: true, detail: ['twin_client_id', 'worth', 'changed'] },
  'app.twin_removed': { forApps: true, detail: ['twin_client_id'] },
  'app_secret.created': {
    forApps: true,
    detail: ['secret_id', 'retire_others_after_seconds', 'end_tokens'],
  },
  'app_secret.deleted': { forApps: true, detail: ['secret_id'] },
  'secret.expiring': { forApps: true, detail: ['secret_id', 'kind', 'days', 'expires_at'] },

  'key_set.created': { detail: ['key_set_id', 'interface', ...reach] },
  'key_set.changed': { detail: ['key_set_id', 'interface', ...reach, 'changed'] },
  'key_set.rotated': { detail: ['key_set_id', 'secret_id', 'retire_others_after_seconds'] },
  'key_set.secret_retired': { detail: ['key_set_id', 'secret_id'] },
  'key_set.deleted': { detail: ['key_set_id'] },

  'organization.created': {},
  'organization.changed': { detail: ['changed'] },
  'organization.deleted': {},
  'organization.apps_suspended': { detail: ['apps'] },
  'organization.apps_resumed': { detail: ['apps'] },
  'organization.policy_changed': {
    detail: ['connect', 'default_expires_days', 'default_idle_days', 'changed'],
  },
  ...all({ detail: ['role'] }, 'member.added', 'member.changed'),
  'member.removed': {},
  'workspace.created': { detail: ['workspace_id'] },
  'workspace.changed': { detail: ['workspace_id', 'changed'] },
  'workspace.deleted': { detail: ['workspace_id'] },
  ...all({ detail: ['workspace_id'] }, 'workspace_member.added', 'workspace_member.removed'),
  'group.created': { detail: ['group_id'] },
  'group.changed': { detail: ['group_id', 'changed'] },
  ...all({ detail: ['group_id'] }, 'group.deleted', 'group_member.added', 'group_member.removed'),

  ...all({}, 'user.created', 'user.invited'),
  'user.changed': { detail: ['changed'] },
  ...all({}, 'user.disabled', 'user.enabled', 'user.password_set', 'user.password_changed'),
  'user.deleted': {},
  ...all({ detail: ['passkey_id'] }, 'passkey.added', 'passkey.removed'),
  'identity.linked': {},

  'app.document_failed': { detail: ['reason'] },
  'app_review.requested': { detail: ['review_id'] },
  ...all({ detail: ['review_id'] }, 'app_review.approved', 'app_review.refused'),
  'app_change.requested': { detail: ['change_id', 'changed'] },
  'app_change.withdrawn': { detail: ['change_id'] },
  ...all({ forApps: true, detail: ['change_id'] }, 'app_change.approved', 'app_change.refused'),
  'client_host.changed': { detail: ['host', 'policy', 'changed', 'permissions'] },
  'client_host.removed': { detail: ['host'] },

  ...all({ detail: ['operator_token_id'] }, 'operator_token.created', 'operator_token.deleted'),
  'operator.granted': { detail: ['permissions'] },
  'operator.revoked': {},
  ...all({ detail: ['scim_token_id'] }, 'scim_token.created', 'scim_token.deleted'),
  'identity_provider.set': { detail: ['issuer'] },
  'identity_provider.changed': { detail: ['issuer', 'changed'] },
  'identity_provider.removed': { detail: ['issuer'] },
  'permission.added': { detail: ['interface', 'permission'] },
  'permission.changed': { detail: ['interface', 'permission', 'changed'] },
  'permission.removed': { detail: ['interface', 'permission'] },
  'resource_server.created': {},
  'resource_server.changed': { detail: ['changed'] },
  'resource_server.deleted': {},
  'resource_server.silent': { detail: ['readers'] },
  'signing_key.rotated': { detail: ['next_kid', 'withdrawn'] },
  'webhook.disabled': { detail: ['webhook_id', 'reason'] },

  ...all(null, 'install.code_redeemed', 'grant.ended', 'consent.taken_over', 'grant.asserted'),
  ...all(null, 'access_token.delegated', 'access_token.revoked', 'token.inspected'),
  ...all(null, 'token.simulated', 'token.refused', 'token.issued_to_workload'),
  ...all(null, 'key_set.token_without_expiry', 'activity.exported', 'import.stored'),
  ...all(null, 'webhook.created', 'webhook.changed', 'webhook.rotated', 'webhook.tested'),
  ...all(null, 'webhook.resent', 'webhook.enabled', 'webhook.deleted', 'webhook.given_up'),
  ...all(null, 'audit_stream.created', 'audit_stream.changed', 'audit_stream.deleted'),
  ...all(null, 'user.password_requested', 'user.mails_changed', 'session.signed_in'),
  ...all(null, 'session.signed_out', 'session.ended', 'session.sign_in_failed', 'passkey.renamed'),
  ...all(null, 'identity.email_conflict', 'operator_token.refused', 'scim_token.refused'),
} satisfies Record<string, EventRule | null>

/** A new one also needs words for its readers. */
export type EventType = keyof typeof eventRules
