/** Only visible ASCII is a URI; anything else is compared as it stands. */
const visible = /^[!-~]+$/
const withAuthority = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*@)?([^/?#]*?)(?::(\d*))?([/?#].*)?$/i
const scheme = /^[a-z][a-z0-9+.-]*:/i
const defaultPorts: Readonly<Record<string, string>> = {
  http: '80',
  https: '443',
  ws: '80',
  wss: '443',
}

const authorityForm = ([
  ,
  name = '',
  user = '',
  host = '',
  port = '',
  rest = '',
]: RegExpExecArray) => {
  const lower = name.toLowerCase()
  const isDefault = port === '' || port === defaultPorts[lower]
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return `${lower}://${user}${host.toLowerCase()}${isDefault ? '' : `:${port}`}${path}`
}

/**
 * The form in which resources (RFC 8707) and audiences are compared: the case of scheme, host and percent-encoding (RFC
 * 3986 §6.2.2.1), the default port and the empty path (§6.2.3) mean nothing. Everything else does, as the final slash of
 * a path.
 */
export const resourceForm = (uri: string): string => {
  if (!visible.test(uri)) return uri
  const parts = withAuthority.exec(uri)
  const form = parts ? authorityForm(parts) : uri.replace(scheme, (name) => name.toLowerCase())
  return form.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
}

/** Do two URIs name one resource? */
export const isSameResource = (one: string, other: string): boolean =>
  one === other || resourceForm(one) === resourceForm(other)
