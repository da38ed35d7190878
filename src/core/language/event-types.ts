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
  'install.suspended': { forApps: true, detail: ['install_id'] },
  'install.resumed': { forApps: true, detail: ['install_id'] },
  ...all({}, 'install.person_denied', 'install.person_admitted'),
  'install.ended': { type: 'install.deleted', forApps: true, detail: ['reason'] },
  'install.requested': { detail: ['permissions'] },
  ...all({}, 'install_request.approved', 'install_request.refused', 'install_request.reopened'),
  ...all({}, 'install_request.withdrawn', 'install_request.reminded', 'install_request.expired'),

  'consent.granted': { forApps: true, detail: [...reach, 'openid_scopes'] },
  'consent.changed': { forApps: true, detail: [...end, 'changed'] },
  'connection.ended': { forApps: true, detail: ['reason'] },
  'connection.restored': { forApps: true },
  'grant.revoked': { forApps: true },
  'grant.reuse_detected': { forApps: true },
  'grant.taken_over': { forApps: true, detail: ['source'] },
  'grant.moved': { forApps: true, detail: ['legacy_client_id', 'permissions'] },

  'app.created': { detail: ['interface', 'client_type', 'permissions'] },
  'app.changed': { forApps: true, detail: ['changed', 'client_type', 'permissions'] },
  'app.disabled': { forApps: true },
  'app.enabled': { forApps: true },
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
  'member.added': { detail: ['role'] },
  'member.changed': { detail: ['role'] },
  'member.removed': {},
  'workspace.created': { detail: ['workspace_id'] },
  'workspace.changed': { detail: ['workspace_id', 'changed'] },
  'workspace.deleted': { detail: ['workspace_id'] },
  'workspace_member.added': { detail: ['workspace_id'] },
  'workspace_member.removed': { detail: ['workspace_id'] },
  'group.created': { detail: ['group_id'] },
  'group.changed': { detail: ['group_id', 'changed'] },
  'group.deleted': { detail: ['group_id'] },
  'group_member.added': { detail: ['group_id'] },
  'group_member.removed': { detail: ['group_id'] },

  ...all({}, 'user.created', 'user.invited'),
  'user.changed': { detail: ['changed'] },
  ...all({}, 'user.disabled', 'user.enabled', 'user.password_set', 'user.password_changed'),
  'user.deleted': {},
  'passkey.added': { detail: ['passkey_id'] },
  'passkey.removed': { detail: ['passkey_id'] },
  'identity.linked': {},

  'app.document_failed': { detail: ['reason'] },
  'app_review.requested': { detail: ['review_id'] },
  'app_review.approved': { detail: ['review_id'] },
  'app_review.refused': { detail: ['review_id'] },
  'app_change.requested': { detail: ['change_id', 'changed'] },
  'app_change.withdrawn': { detail: ['change_id'] },
  'app_change.approved': { forApps: true, detail: ['change_id'] },
  'app_change.refused': { forApps: true, detail: ['change_id'] },
  'client_host.changed': { detail: ['host', 'policy', 'changed', 'permissions'] },
  'client_host.removed': { detail: ['host'] },

  'operator_token.created': { detail: ['operator_token_id'] },
  'operator_token.deleted': { detail: ['operator_token_id'] },
  'operator.granted': { detail: ['permissions'] },
  'operator.revoked': {},
  'scim_token.created': { detail: ['scim_token_id'] },
  'scim_token.deleted': { detail: ['scim_token_id'] },
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
