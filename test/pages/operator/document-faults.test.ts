/** Why the document of an app cannot be imported, at the field with its address and in the language of the operator. */
import type { FetchFailure } from '../../../src/core/outbound/fetch-document.ts'
import { textIn } from '../../../src/words/text.ts'
import { startDocumentServer } from '../../support/document-server.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { visitAs } from './operator-visit.ts'

const said = textIn('de').faults
const json = { 'content-type': 'application/json' }

await onEachBackend(
  'documents that are not imported',
  async (t, { running, stores }) => {
    const documents = await startDocumentServer(t)
    const { visitor, person } = await visitAs(running, stores, 'apps:read', 'apps:write')
    await running.operator('PATCH', `/users/${person.id}`, { locale: 'de' })
    const faultFor = async (url: string) => {
      const page = await visitor.submit(await visitor.get('/operator/import'), { url })
      t.equal(page.status, 400, url)
      return page.dom.querySelectorAll('.field-error').map(({ text }) => text.trim())
    }

    for (const url of ['http://a.example/x', 'https://a.example', 'https://a.example/#x', 'x'])
      t.same(await faultFor(url), [said.document_url], url)
    t.same(await faultFor(`https://a.example/${'x'.repeat(500)}`), [said.document_url], 'too long')

    const answers: [FetchFailure | 'json', Parameters<typeof documents.script>[1]][] = [
      ['status', (response) => response.writeHead(404, json).end('{}')],
      ['redirect', (response) => response.writeHead(302, { location: '/' }).end()],
      [
        'content_type',
        (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(),
      ],
      ['too_large', (response) => response.writeHead(200, json).end(' '.repeat(33 * 1024))],
      ['json', (response) => response.writeHead(200, json).end('[]')],
      ['json', (response) => response.writeHead(200, json).end('{"a":1,"a":2}')],
      ['unreachable', (response) => response.destroy()],
    ]
    for (const [name, answer] of answers)
      t.same(await faultFor(documents.script(`/${name}`, answer)), [said[`document_${name}`]], name)

    const members: [words: string, members: Record<string, unknown>][] = [
      [said.document_client, { client_id: 'https://other.example/x' }],
      [said.document_secret, { client_secret: 'x' }],
      [said.document_secret, { client_secret_expires_at: 0 }],
      [said.document_method, { token_endpoint_auth_method: 'client_secret_basic' }],
      [said.document_method, { token_endpoint_auth_method: 'private_key_jwt' }],
      [said.document_name, { client_name: 'x'.repeat(101) }],
      [said.document_redirects, { redirect_uris: [] }],
      [said.document_redirects, { redirect_uris: ['http://agent.example/cb'] }],
      [said.document_grants, { grant_types: ['implicit'] }],
      [said.document_grants, { response_types: ['token'] }],
      [said.document_scope, { scope: 1 }],
      [said.document_link('client_uri'), { client_uri: 'http://agent.example' }],
      [said.document_link('tos_uri'), { tos_uri: 1 }],
    ]
    for (const [at, [words, part]] of members.entries())
      t.same(await faultFor(documents.publish(`/member${at}`, part)), [words])
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
