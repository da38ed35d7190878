/** An MCP client that no one has registered: its id is the URL of its metadata document. */
import { startDocumentServer } from '../support/document-server.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf } from '../support/flows.ts'
import { asksPerson, createMcpClient } from '../support/mcp-client.ts'
import { startMcpServer } from '../support/mcp-server.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createVisitor } from '../support/visitor.ts'

const permissions = ['records:create', 'records:update']

await onEachBackend(
  'an MCP client with a URL as its id',
  async (t, scene) => {
    const { issuer, running, world } = scene
    const { acme, ana } = world
    const url = await startMcpServer(t, scene)
    const documents = await startDocumentServer(t)
    const metadataUrl = documents.publish('/assistant.json', {
      client_name: 'Assistant',
      redirect_uris: ['http://localhost/callback'],
      scope: [...permissions, 'offline_access'].join(' '),
    })
    const install = `/organizations/${acme}/installs/${encodeURIComponent(metadataUrl)}`

    t.test('connects after the review, from nothing but the address of the server', async (t) => {
      const client = await createMcpClient(t, { url, client: { metadataUrl }, era: '2026-07-28' })
      const person = { visitor: createVisitor(issuer), answers: ana }
      t.ok(await asksPerson(client.connect()))
      const requested = client.opened.at(-1) as URL
      t.equal(requested.searchParams.get('client_id'), metadataUrl)
      const before = await person.visitor.get(requested)
      t.equal(before.status, 400, 'unknown before the review')
      t.equal(before.left, null)

      const imported = await running.operator('POST', '/apps/import', { url: metadataUrl })
      t.equal(imported.status, 201)
      const approval = { permissions, workspace_ids: null }
      t.ok((await running.operator('PUT', install, approval)).status < 300)
      await client.authorize(person)
      await client.reconnect()
      t.match(await client.call('list_workspaces'), { isError: false })
      const claims = claimsOf(client.tokens()?.access_token ?? '')
      t.match(claims, { client_id: metadataUrl, aud: url, permissions: ['records:create'] })

      await running.operator('DELETE', install)
      await eventually(() => asksPerson(client.call('list_workspaces')))
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
