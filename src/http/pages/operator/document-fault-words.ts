// Puts the reason why a metadata document is not taken into the words of the page.
import { fetchFaults } from '../../../core/client-documents/read-document.ts'
import type { FetchFailure } from '../../../core/outbound/fetch-document.ts'
import type { Text } from '../../../words/text.ts'
import type { ApiRefusal } from './api.ts'

const failures = Object.entries(fetchFaults) as [FetchFailure, string][]

/** The words by the member of the document; a link has its name in them. */
const membersOf = ({ operator }: Text): Record<string, string> => {
  const { document: said } = operator.faults
  return {
    '': said.json,
    client_id: said.client,
    client_secret: said.secret,
    client_secret_expires_at: said.secret,
    token_endpoint_auth_method: said.method,
    jwks: said.method,
    jwks_uri: said.method,
    client_name: said.name,
    redirect_uris: said.redirects,
    grant_types: said.grants,
    response_types: said.grants,
    scope: said.scope,
  }
}

const links = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri']

const wordsOf = (text: Text, { pointer, detail }: ApiRefusal['errors'][number]): string => {
  const { document: said } = text.operator.faults
  const [, of, member = ''] = pointer.split('/')
  if (of !== 'document') {
    const [failure] = failures.find(([, one]) => one === detail) ?? ['url' as const]
    return said[failure]
  }
  const words = membersOf(text)
  if (Object.hasOwn(words, member)) return words[member] as string
  return links.includes(member) ? said.link(member) : said.other(member)
}

/** The faults of a document are shown at the field with its address. */
export const documentRefusal = (text: Text, refusal: ApiRefusal): ApiRefusal => ({
  ...refusal,
  errors: refusal.errors.map((one) => ({
    pointer: '/url',
    detail: wordsOf(text, one),
    isWorded: true,
  })),
})
