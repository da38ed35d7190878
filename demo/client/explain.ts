/** An access token in words. Apps must not parse tokens. This page does, to show what the data API sees. */
export interface ExplainedToken {
  facts: { label: string; words: string }[]
  header: string
  claims: string
}

const decode = (text: string | undefined): Record<string, unknown> | null => {
  try {
    return JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
  } catch {
    return null
  }
}

const strings = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const list = new Intl.ListFormat('en-GB')

const lifeOf = (claims: Record<string, unknown>) => {
  const [issued, expires] = [Number(claims.iat), Number(claims.exp)]
  return `${clock.format(expires * 1000)} (${(expires - issued) / 60} minutes)`
}

const reachOf = (claims: Record<string, unknown>, nameOf: (id: unknown) => string) => {
  if (claims.interface === 'legacy') return 'The databases of the organization'
  const names = strings(claims.workspace_ids).map(nameOf).toSorted()
  return names.length > 0 ? list.format(names) : 'No workspace'
}

const rightsOf = (claims: Record<string, unknown>) => {
  const permissions = strings(claims.permissions)
  if (claims.interface === 'legacy')
    return permissions.length > 0 ? list.format(permissions) : 'Nothing'
  return list.format(['read', ...permissions])
}

/** @param names names of organizations, workspaces, users and apps by id */
export const explainToken = (
  token: unknown,
  names: ReadonlyMap<string, string>,
): ExplainedToken | null => {
  if (typeof token !== 'string') return null
  const [header, claims] = token.split('.').slice(0, 2).map(decode)
  if (!header || !claims) return null
  const nameOf = (id: unknown) => names.get(String(id)) ?? String(id)
  const app = nameOf(claims.client_id)
  return {
    facts: [
      {
        label: 'Who acts',
        words: claims.kind === 'user' ? `${app}, for ${nameOf(claims.sub)}` : `${app}, for itself`,
      },
      { label: 'Organization', words: nameOf(claims.organization_id) },
      { label: 'May', words: rightsOf(claims) },
      { label: 'Where', words: reachOf(claims, nameOf) },
      { label: 'Valid until', words: lifeOf(claims) },
    ],
    header: JSON.stringify(header, null, 2),
    claims: JSON.stringify(claims, null, 2),
  }
}
