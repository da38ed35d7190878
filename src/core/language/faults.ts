/** The rule that a value breaks. Stable, for programs, and for pages, which say it in the language of the reader. */
export type FaultReason =
  // Of any field.
  | 'required'
  | 'unknown_field'
  | 'form'
  | 'empty'
  | 'too_many'
  | 'duplicate'
  | 'out_of_range'
  // Of some.
  | 'accent'
  | 'confidential_only'
  | 'current_only'
  | 'description'
  | 'email'
  | 'email_letters'
  | 'event_type'
  | 'expires_at'
  | 'fapi2'
  | 'host'
  | 'interface_fixed'
  | 'invite'
  | 'issuer'
  | 'jwks'
  | 'jwks_uri'
  | 'keys_twice'
  | 'link'
  | 'location'
  | 'logo_twice'
  | 'logo_upload'
  | 'name'
  | 'own_issuer'
  | 'password_characters'
  | 'password_common'
  | 'password_length'
  | 'password_pattern'
  | 'password_personal'
  | 'password_service'
  | 'period'
  | 'path_prefix'
  | 'permission_beyond_app'
  | 'permission_map'
  | 'permission_name'
  | 'permission_required'
  | 'permissions_too_long'
  | 'pkce'
  | 'redirect_uri'
  | 'resource'
  | 'resource_default'
  | 'sentence'
  | 'setup_uri'
  | 'successor'
  | 'svg'
  | 'unknown_app'
  | 'unknown_organization'
  | 'unknown_permission'
  | 'unknown_place'
  | 'unknown_user'
  | 'unknown_workspace'
  | 'user_disabled'
  | 'webhook_secret'
  | 'webhook_url'
  | 'workload_claims'
  | 'workload_duplicate'
  | 'workload_keys'
  | 'workload_subject'
  // Of a metadata document: how it is fetched, and its members.
  | 'document_url'
  | 'document_address'
  | 'document_timeout'
  | 'document_too_large'
  | 'document_redirect'
  | 'document_unreachable'
  | 'document_content_type'
  | 'document_status'
  | 'document_json'
  | 'document_client'
  | 'document_secret'
  | 'document_method'
  | 'document_name'
  | 'document_redirects'
  | 'document_grants'
  | 'document_scope'
  | 'document_link'
  | 'document_other'

/** One fault of the input: its place (JSON pointer, RFC 6901), a description in English, and the broken rule. */
export interface Fault {
  pointer: string
  detail: string
  reason: FaultReason
}

export const faultAt = (pointer: string, reason: FaultReason, detail: string): Fault => ({
  pointer,
  detail,
  reason,
})

/** The fault, when the input breaks the rule; else none. */
export const faultIf = (
  isBroken: boolean,
  pointer: string,
  reason: FaultReason,
  detail: string,
): Fault[] => (isBroken ? [faultAt(pointer, reason, detail)] : [])

/** A fault for each item of a list that breaks the rule. */
export const faultsOfItems = <Item>(
  items: readonly Item[],
  isBroken: (item: Item, index: number) => boolean,
  pointer: string,
  reason: FaultReason,
  detail: string,
): Fault[] =>
  items.flatMap((item, at) => faultIf(isBroken(item, at), `${pointer}/${at}`, reason, detail))
