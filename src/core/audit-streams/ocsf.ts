import type { Actor } from '../audit/audit.ts'
import type { LoggedEvent } from '../audit/audit-log.ts'
import type { EventType } from '../language/event-types.ts'

const version = '1.5.0'

const all = <Type extends EventType>(typeUid: number, ...types: Type[]) =>
  Object.fromEntries(types.map((type) => [type, typeUid])) as Record<Type, number>

/**
 * The `type_uid` of each type of event: its class, and two digits for the activity (99: another one). A new type of event
 * needs an entry.
 * @see https://schema.ocsf.io/1.5.0/classes
 */
export const ocsfTypes = {
  // 3001 Account Change
  ...all(300101, 'user.created', 'user.invited', 'identity.linked'),
  ...all(300102, 'user.enabled'),
  ...all(300103, 'user.password_changed'),
  ...all(300104, 'user.password_set', 'user.password_requested'),
  ...all(300105, 'user.disabled'),
  ...all(300106, 'user.deleted'),
  ...all(300110, 'passkey.added'),
  ...all(300111, 'passkey.removed'),
  ...all(300199, 'user.changed', 'user.mails_changed', 'passkey.renamed'),
  ...all(300199, 'identity.email_conflict'),
  // 3002 Authentication
  ...all(300201, 'session.signed_in', 'session.sign_in_failed'),
  ...all(300202, 'session.signed_out', 'session.ended'),
  // 3003 Authorize Session
  ...all(300301, 'grant.asserted', 'access_token.delegated', 'grant.moved', 'grant.taken_over'),
  // 3004 Entity Management
  ...all(300401, 'app.created', 'app.twin_made', 'app_secret.created', 'key_set.created'),
  ...all(300401, 'key_set.rotated', 'organization.created', 'workspace.created'),
  ...all(300401, 'operator_token.created', 'scim_token.created', 'identity_provider.set'),
  ...all(300401, 'permission.added', 'resource_server.created', 'signing_key.rotated'),
  ...all(300401, 'webhook.created', 'webhook.rotated', 'audit_stream.created'),
  ...all(300401, 'install.requested', 'app_review.requested', 'app_change.requested'),
  ...all(300401, 'import.stored'),
  ...all(300402, 'activity.exported'),
  ...all(300403, 'app.changed', 'app.twin_changed', 'key_set.changed', 'organization.changed'),
  ...all(300403, 'organization.policy_changed', 'workspace.changed', 'client_host.changed'),
  ...all(300403, 'identity_provider.changed', 'permission.changed', 'resource_server.changed'),
  ...all(300403, 'webhook.changed', 'audit_stream.changed', 'app.document_failed'),
  ...all(300403, 'app_review.approved', 'app_review.refused'),
  ...all(300403, 'app_change.approved', 'app_change.refused', 'app_change.withdrawn'),
  ...all(300403, 'install_request.approved', 'install_request.refused'),
  ...all(300403, 'install_request.reopened', 'install_request.withdrawn'),
  ...all(300403, 'install_request.reminded', 'install_request.expired'),
  ...all(300403, 'secret.expiring', 'resource_server.silent'),
  ...all(300404, 'app.deleted', 'app.twin_removed', 'app_secret.deleted', 'key_set.deleted'),
  ...all(300404, 'key_set.secret_retired', 'organization.deleted', 'workspace.deleted'),
  ...all(300404, 'client_host.removed', 'operator_token.deleted', 'scim_token.deleted'),
  ...all(300404, 'identity_provider.removed', 'permission.removed', 'resource_server.deleted'),
  ...all(300404, 'webhook.deleted', 'audit_stream.deleted'),
  ...all(300408, 'app.enabled', 'webhook.enabled'),
  ...all(300409, 'app.disabled', 'webhook.disabled'),
  ...all(300412, 'install.suspended', 'organization.apps_suspended'),
  ...all(300413, 'install.resumed', 'organization.apps_resumed'),
  // 3005 User Access Management
  ...all(300501, 'install.approved', 'install.self_installed', 'install.changed'),
  ...all(300501, 'install.person_admitted', 'install.code_redeemed', 'operator.granted'),
  ...all(300501, 'consent.granted', 'consent.changed', 'consent.taken_over'),
  ...all(300501, 'connection.restored'),
  ...all(300502, 'install.ended', 'install.person_denied', 'install.permissions_declined'),
  ...all(300502, 'connection.ended', 'operator.revoked'),
  ...all(300502, 'grant.ended', 'grant.revoked', 'grant.reuse_detected', 'access_token.revoked'),
  // 3006 Group Management
  ...all(300603, 'member.added', 'workspace_member.added', 'group_member.added'),
  ...all(300604, 'member.removed', 'workspace_member.removed', 'group_member.removed'),
  ...all(300605, 'group.deleted'),
  ...all(300606, 'group.created'),
  ...all(300699, 'group.changed', 'member.changed'),
  // 6003 API Activity
  ...all(600302, 'token.inspected', 'token.simulated'),
  ...all(600399, 'token.refused', 'token.issued_to_workload', 'key_set.token_without_expiry'),
  ...all(600399, 'operator_token.refused', 'scim_token.refused', 'webhook.tested'),
  ...all(600399, 'webhook.resent', 'webhook.given_up'),
} satisfies Record<EventType, number>

/** Of a type that only another version of the server has, and of the test event. */
const otherType = 600399

const failures = /[._](refused|failed|conflict|given_up|reuse_detected)$/

const product = { name: 'Latchkey', vendor_name: 'Latchkey' }

const actorOf = ({ kind, id }: Actor) => {
  if (kind === 'client') return { app_uid: id ?? 'unknown' }
  if (kind === 'system') return { app_name: product.name }
  return { user: kind === 'operator' ? { uid: id ?? kind, type_id: 2 } : { uid: id ?? kind } }
}

/** What the event is about: the ids in its detail name it more closely than those that many events have. */
const subjectOf = ({ type, detail, userId, clientId, organizationId }: LoggedEvent) => {
  const [name = type] = type.split('.')
  const own = detail[`${name}_id`]
  const uid = typeof own === 'string' ? own : (clientId ?? userId ?? organizationId)
  return { name, ...(uid && { uid }) }
}

const privilegesOf = ({ detail: { permissions } }: LoggedEvent) =>
  Array.isArray(permissions) ? permissions.map(String) : []

/** The members that a class has of its own. */
const ofClass: Record<number, (event: LoggedEvent) => object> = {
  3001: () => ({}),
  3002: () => ({ service: { name: product.name } }),
  3003: (event) => ({ privileges: privilegesOf(event) }),
  3004: (event) => ({ entity: subjectOf(event) }),
  3005: (event) => ({ privileges: privilegesOf(event), resources: [subjectOf(event)] }),
  3006: (event) => ({ group: subjectOf(event) }),
  6003: ({ type }) => ({ api: { operation: type } }),
}

/** Classes that are about a user: they need one. */
const aboutUser = [3001, 3002, 3003, 3005]

/** An event in the form of the Open Cybersecurity Schema Framework. Its own id is `metadata.uid`. */
export const ocsfOf = (event: LoggedEvent) => {
  const { id, at, type, actor, organizationId, clientId, userId, address, requestId } = event
  const typeUid = Object.hasOwn(ocsfTypes, type) ? ocsfTypes[type as EventType] : otherType
  const classUid = Math.floor(typeUid / 100)
  const isFailure = failures.test(type)
  const isAboutUser = aboutUser.includes(classUid) || (classUid === 3006 && userId !== null)
  return {
    ...{ category_uid: Math.floor(classUid / 1000), class_uid: classUid },
    ...{ activity_id: typeUid % 100, activity_name: type, type_uid: typeUid },
    ...{ time: at.getTime(), message: type, severity_id: isFailure ? 3 : 1 },
    ...{ status_id: isFailure ? 2 : 1, actor: actorOf(actor) },
    metadata: {
      ...{ version, product, uid: id, event_code: type, log_name: 'audit' },
      ...(organizationId && { tenant_uid: organizationId }),
      ...(requestId && { correlation_uid: requestId }),
    },
    ...((address || classUid === 6003) && {
      src_endpoint: address ? { ip: address } : { name: 'unknown' },
    }),
    ...(isAboutUser && { user: { uid: userId ?? actor.id ?? 'unknown' } }),
    ...ofClass[classUid]?.(event),
    unmapped: {
      ...{ organization_id: organizationId, client_id: clientId, user_id: userId },
      detail: event.detail,
    },
  }
}
