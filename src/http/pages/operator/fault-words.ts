// Puts what the Operator API refuses into the words of the page. Its own details are in English, for programs.
import { readPasswordReason } from '../../../core/people/password-rules.ts'
import type { Text } from '../../../words/text.ts'
import type { Field } from '../rendering/form-field.ts'
import type { ApiRefusal } from './api.ts'

/** By the name of a field, for those that mean the same in every form. */
const wordsByName = ({
  operator,
  developer,
  organization,
  passwordFaults,
}: Text): Record<string, string> => {
  const { faults, forms } = operator
  const { faults: settings } = developer.changes
  return {
    name: settings.name,
    publisher: settings.name,
    description: settings.description,
    redirect_uris: settings.redirectUris,
    homepage_uri: settings.homepageUri,
    logo_uri: settings.logoUri,
    policy_uri: settings.homepageUri,
    tos_uri: settings.homepageUri,
    location: faults.location,
    setup_uri: faults.setupUri,
    jwks_uri: settings.jwksUri,
    permissions: settings.permissions,
    client_id: forms.unknownApp,
    client_ids: forms.unknownApp,
    owners: forms.unknownPerson,
    email: faults.email,
    expires_at: faults.expiresAt,
    host: faults.host,
    invite: faults.invite,
    issuer: organization.keyWorkloads.faults.issuer,
    note: faults.words,
    organization_ids: faults.organizations,
    // What the password itself is refused for has a reason.
    password: passwordFaults.length,
    resource: faults.resource,
    sentence: faults.sentence,
  }
}

/** What is wrong with a field; without words for it, the detail of the API. */
export const faultWords = (
  text: Text,
  { name, fault }: Field,
  { detail, reason }: ApiRefusal['errors'][number],
): string => {
  const password = readPasswordReason(reason)
  if (password !== null) return text.passwordFaults[password]
  if (typeof fault === 'function') return fault(detail)
  return fault ?? wordsByName(text)[name] ?? detail
}

const urn = 'urn:latchkey:problem:'

/** The refusal as a whole; without words for it, the detail of the API. */
export const refusalWords = (text: Text, { type, detail }: ApiRefusal): string => {
  const { changes, faults } = text.operator
  const words: Record<string, string> = {
    ...faults.conflicts,
    change_outdated: changes.outdated,
    changed_meanwhile: text.form.changedMeanwhile,
    delivery_waits: text.developer.webhooks.done.waits,
  }
  const reason = type.startsWith(urn) ? type.slice(urn.length).replaceAll('-', '_') : ''
  return Object.hasOwn(words, reason) ? (words[reason] as string) : detail
}
