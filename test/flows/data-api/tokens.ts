/** Credentials of each kind, with exactly these permissions and workspaces. */
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  refresh,
  type TokenResponse,
} from '../../support/flows.ts'
import type { Scene } from '../../support/on-each-backend.ts'
import { createKeySet, selfSign } from '../../support/resource-server.ts'
import { createApp, install } from '../../support/world.ts'

export const currentPermissions = [
  'records:create',
  'records:update',
  'records:delete',
  'workspace_members:read',
  'teams:read',
  'documents:read',
  'table:create',
  'table:modify',
  'rootTable:create',
]
export const legacyPermissions = [
  'readData',
  'insertData',
  'updateData',
  'deleteData',
  'addFields',
  'readMembers',
]

const seconds = () => Math.floor(Date.now() / 1000)

const accessToken = ({ status, body }: TokenResponse): string => {
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`)
  return body.access_token
}

/** A token of the current interface. */
export type MakeToken = (
  permissions: readonly string[],
  workspaceIds?: readonly string[],
) => Promise<string>

/** A token signed by a key set of the organization; without workspaces it reaches all. */
export const selfSigner = async (
  { running }: Scene,
  organizationId: string,
): Promise<{ make: MakeToken; id: string }> => {
  const keySet = await createKeySet(running, organizationId, { permissions: currentPermissions })
  const make: MakeToken = async (permissions, workspaceIds) =>
    selfSign(keySet.secret, {
      iss: keySet.client_id,
      iat: seconds(),
      permissions,
      ...(workspaceIds && { workspace_ids: workspaceIds }),
    })
  return { make, id: keySet.id }
}

const narrowed = (permissions: readonly string[], workspaceIds: readonly string[] = []) => ({
  scope: permissions.join(' '),
  workspace_ids: workspaceIds.join(' '),
})

/** One app, installed in Acme with every permission, and a user's consent to it. */
export const installedApp = async (
  { running, issuer, world }: Scene,
  person: 'ana' | 'kim' = 'ana',
) => {
  const app = await createApp(running, { permissions: currentPermissions })
  await install(running, world.acme, app, { permissions: currentPermissions })
  const code = await currentCode(running, app, world[person], { organization_id: world.acme })
  let { refresh_token: newest } = (await exchangeCode(issuer, app, code)).body
  const user: MakeToken = async (permissions, workspaceIds) => {
    const answer = await refresh(issuer, app, newest, narrowed(permissions, workspaceIds))
    newest = answer.body.refresh_token
    return accessToken(answer)
  }
  const machine: MakeToken = async (permissions, workspaceIds) =>
    accessToken(
      await clientCredentials(issuer, app, world.acme, narrowed(permissions, workspaceIds)),
    )
  return { app, user, machine }
}

/** The variables that carry a legacy credential. */
export type Credential = { secretKey: string } | { accessToken: string }
export type MakeCredential = (permissions: readonly string[]) => Promise<Credential>

export const legacyKeys =
  ({ running }: Scene, organizationId: string): MakeCredential =>
  async (permissions) => {
    const part = { interface: 'legacy', permissions }
    return { secretKey: (await createKeySet(running, organizationId, part)).secret }
  }

export const legacyApp = async ({ running, issuer, world }: Scene) => {
  const app = await createApp(running, { interface: 'legacy', permissions: legacyPermissions })
  await install(running, world.acme, app, { permissions: legacyPermissions })
  const { code } = await legacyCode(running, app, world.ana, { organization_id: world.acme })
  const first = await legacyToken(issuer, app, { grant_type: 'authorization_code', code })
  let { refresh_token: newest } = first.body
  const user: MakeCredential = async (permissions) => {
    const scope = permissions.join(' ')
    const fields = { grant_type: 'refresh_token', refresh_token: newest, scope }
    const answer = await legacyToken(issuer, app, fields)
    newest = answer.body.refresh_token
    return { accessToken: accessToken(answer) }
  }
  return { app, user }
}
