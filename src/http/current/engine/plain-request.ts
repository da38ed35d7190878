import type { App } from '../../../core/clients/app.ts'
import { matchRedirectUri } from '../../../core/clients/redirect-uri.ts'
import { engineScope, type Pairs, renamedParameters, unrestricted } from './parameters.ts'

const passedOn: readonly string[] = [...unrestricted, ...Object.values(renamedParameters)]

/** The values in which oidc-provider finds no fault. It has more rules for any other value, and for other parameters. */
const faultless: ReadonlyMap<string, readonly string[]> = new Map([
  ['response_type', ['code']],
  ['response_mode', ['query', 'form_post', 'web_message']],
  ['scope', [engineScope]],
  ['code_challenge_method', ['S256']],
  ['prompt', ['none']],
])

const isPlain = (name: string, value: string) =>
  passedOn.includes(name) || (faultless.get(name)?.includes(value) ?? false)

const hasWholeChallenge = (sent: Record<string, string>) =>
  'code_challenge' in sent === 'code_challenge_method' in sent

/**
 * The parameters of a request that oidc-provider would find valid, whatever its client: each is known and sent once,
 * with a plain value.
 * @param query as `canonical` returns it
 * @returns null: only the provider knows whether the request is valid
 */
export const plainParameters = (query: Pairs, app: Pick<App, 'redirectUris' | 'clientType'>) => {
  const sent: Record<string, string> = Object.create(null)
  for (const [name, value] of query) {
    if (name in sent || !isPlain(name, value)) return null
    sent[name] = value
  }
  const { redirect_uri: uri, response_type: type, scope } = sent
  if (uri === undefined || type === undefined || scope === undefined) return null
  if (!hasWholeChallenge(sent)) return null
  return matchRedirectUri(app.redirectUris, uri, app.clientType) === null ? null : sent
}
