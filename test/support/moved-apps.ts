import { randomUUID } from 'node:crypto'
import { hashedPassword, hashes } from './foreign-hashes.ts'
import { importLines } from './import-lines.ts'
import type { World } from './world.ts'

/** Where apps of the earlier server send their requests, for both interfaces. */
export const oldTokenPath = '/oauth/token'
export const aliasEnvironment = { ENDPOINT_ALIASES: `${oldTokenPath}=token` }

const kinds = [
  { interface: 'current', permissions: ['records:create'], seconds: 3600 },
  { interface: 'legacy', permissions: ['insertData'], seconds: 7200 },
] as const

/** Apps of an earlier server on each interface: it knew their secrets as hashes, and each has a refresh token of it. */
export const createMovedApps = async (issuer: string, { acme, ana }: World, secretHash?: string) =>
  Promise.all(
    kinds.map(async ({ interface: generation, permissions, seconds }) => {
      const client_id = `old.${randomUUID()}`
      const refresh_token = `old-${randomUUID()}`
      const common = { client_id, permissions, source: 'old' }
      const place = { organization: acme, workspace_ids: null }
      const redirect_uri = 'https://old.example/cb'
      const answers = await importLines(issuer, [
        {
          ...{ type: 'app', ...common, name: 'Old', interface: generation },
          ...{ client_type: 'confidential', redirect_uris: [redirect_uri] },
          secret_hash: secretHash ?? hashes['django pbkdf2_sha256'],
        },
        { type: 'install', ...common, ...place },
        { type: 'grant', ...common, ...place, user: ana.id, refresh_token },
      ])
      const detail = answers.find(({ status }) => status !== 'created')
      if (detail) throw new Error(JSON.stringify(detail))
      const app = { client_id, client_secret: hashedPassword, redirect_uri }
      return { app, refresh_token, permissions: [...permissions], seconds }
    }),
  )
