import type { Interface } from '../../core/language/permissions.ts'

/** An environment file inside a data: link. It needs no script and no further request. */
export const environmentFile = (
  id: string,
  about: string,
  variables: Readonly<Record<string, string>>,
) => {
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const text = [`# ${about}`, ...pairs, ''].join('\n')
  return {
    fileName: `${id}.env`,
    download: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
  }
}

/** The credentials of an app or a key set. */
export const clientVariables = (api: Interface, id: string, secret: string) =>
  api === 'current' ? { CLIENT_ID: id, CLIENT_SECRET: secret } : { APP_ID: id, APP_SECRET: secret }

export const clientFile = (
  { name, clientId, interface: api }: { name: string; clientId: string; interface: Interface },
  secret: string,
) => environmentFile(clientId, name, clientVariables(api, clientId, secret))
