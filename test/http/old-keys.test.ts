import Fastify from 'fastify'
import t from 'tap'
import { metadata } from '../../src/http/oauth/metadata.ts'

t.test('keys of the old server are published at aliases only, after our own', async (t) => {
  const server = Fastify()
  t.teardown(() => server.close())
  server.addHook('onRequest', async ({ raw, query }) => {
    const { alias } = query as { alias?: string }
    if (alias) raw.alias = alias
  })
  await server.register(
    metadata({
      issuer: 'https://auth.example',
      place: { base: 'https://auth.example' },
      oldKeys: async () => [{ kid: 'old' }],
      signingKeys: { jwks: () => ({ keys: [{ kid: 'own' }] }) },
      catalogue: { names: () => [], readPermission: () => null },
      keyAhead: 600,
      links: { privacy: null, terms: null },
    }),
  )
  const keysAt = async (query: string) =>
    (await server.inject(`/.well-known/jwks.json${query}`)).json().keys
  t.same(await keysAt(''), [{ kid: 'own' }])
  t.same(await keysAt('?alias=/.well-known/jwks.json'), [{ kid: 'own' }], 'our own path, listed')
  t.same(await keysAt('?alias=/oauth/keys'), [{ kid: 'own' }, { kid: 'old' }])
})
