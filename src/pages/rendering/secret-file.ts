import type { Interface } from '../../core/language/permissions.ts'

const variables = {
  current: { id: 'CLIENT_ID', secret: 'CLIENT_SECRET' },
  legacy: { id: 'APP_ID', secret: 'APP_SECRET' },
} as const

/** The same for the signing secret of a webhook. */
export const webhookSecretFile = ({ id, url }: { id: string; url: string }, secret: string) => ({
  fileName: `${id}.env`,
  download: `data:text/plain;charset=utf-8,${encodeURIComponent(`# ${url}\nWEBHOOK_SECRET=${secret}\n`)}`,
})

/** The same for the password of a test person. */
export const testPersonFile = ({
  email,
  name,
  password,
}: Record<'email' | 'name' | 'password', string>) => ({
  fileName: `${email.replace(/@.*/, '')}.env`,
  download: `data:text/plain;charset=utf-8,${encodeURIComponent(`# ${name}\nEMAIL=${email}\nPASSWORD=${password}\n`)}`,
})

/** An environment file inside a data: link. It needs no script and no further request. */
export const secretFile = (
  owner: { name: string; clientId: string; interface: Interface },
  secret: string,
) => {
  const names = variables[owner.interface]
  const lines = [`# ${owner.name}`, `${names.id}=${owner.clientId}`, `${names.secret}=${secret}`]
  return {
    fileName: `${owner.clientId}.env`,
    download: `data:text/plain;charset=utf-8,${encodeURIComponent(`${lines.join('\n')}\n`)}`,
  }
}
