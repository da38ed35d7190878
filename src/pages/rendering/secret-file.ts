import type { Interface } from '../../core/language/permissions.ts'

const variables = {
  current: { id: 'CLIENT_ID', secret: 'CLIENT_SECRET' },
  legacy: { id: 'APP_ID', secret: 'APP_SECRET' },
} as const

/** An environment file inside a data: link. It needs no script and no further request. */
const fileOf = (name: string, ...lines: string[]) => ({
  fileName: `${name}.env`,
  download: `data:text/plain;charset=utf-8,${encodeURIComponent(`${lines.join('\n')}\n`)}`,
})

/** The file of the signing secret of a webhook. */
export const webhookSecretFile = ({ id, url }: { id: string; url: string }, secret: string) =>
  fileOf(id, `# ${url}`, `WEBHOOK_SECRET=${secret}`)

type TestPerson = Record<'email' | 'name' | 'password', string>

/** The file of the password of a test person. */
export const testPersonFile = ({ email, name, password }: TestPerson) =>
  fileOf(email.replace(/@.*/, ''), `# ${name}`, `EMAIL=${email}`, `PASSWORD=${password}`)

export const secretFile = (
  owner: { name: string; clientId: string; interface: Interface },
  secret: string,
) => {
  const names = variables[owner.interface]
  const { name, clientId } = owner
  return fileOf(clientId, `# ${name}`, `${names.id}=${clientId}`, `${names.secret}=${secret}`)
}
