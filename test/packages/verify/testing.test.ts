// The signer and verifier for the tests of data APIs, without a server.
import t from 'tap'
import { createTesting, type TestToken } from '../../../packages/verify/src/testing.ts'
import { authorize } from '../../../packages/verify/src/verify.ts'

const testing = await createTesting()
t.teardown(() => testing.verifier.close())
const { token, verifier, explain } = testing

t.test('every kind of token is accepted with the wanted rights', async (t) => {
  for (const kind of ['user', 'install', 'self_signed', 'key_set'] as const) {
    const access = await verifier.verify(
      await token({ kind, organization: 'acme', client: 'app', permissions: ['readData'] }),
    )
    t.match(access, { kind, organizationId: 'acme', clientId: 'app' })
    t.ok(access.can('readData'), kind)
  }
  const legacy = await verifier.verify(await token({ interface: 'legacy' }))
  t.match(legacy, { interface: 'legacy', workspaceIds: null })
})

const dpopJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}

const refused: [TestToken, string][] = [
  [{ expiresIn: -60 }, 'expired'],
  [{ notBefore: 120 }, 'not_yet_valid'],
  [{ issuer: 'https://other.test' }, 'issuer'],
  [{ audience: ['https://other.test'] }, 'audience'],
  [{ typ: 'JWT' }, 'header'],
  [{ dpopJwk }, 'bound_to_key'],
  [{ kind: 'self_signed', expiresIn: -60 }, 'claims'],
  [{ kind: 'self_signed', expiresIn: -5 }, 'inactive'],
  [{ kind: 'key_set', expiresIn: -60 }, 'inactive'],
]
for (const [wanted, reason] of refused) {
  t.test(`refuses ${JSON.stringify(wanted).slice(0, 60)}: ${reason}`, async (t) => {
    t.equal(await explain(await token(wanted)), reason)
  })
}

t.test('explains nothing about a good token', async (t) => {
  t.equal(await explain(await token()), null)
  t.equal(await explain('none of ours'), 'malformed')
})

t.test('a token of another signer is refused', async (t) => {
  const other = await createTesting()
  t.teardown(() => other.verifier.close())
  t.equal(await explain(await other.token()), 'signature')
})

t.test('a delegated token names its actors, and workspaces are kept apart', async (t) => {
  const delegated = await token({ act: ['assistant', 'router'], workspaces: ['wksInside'] })
  const access = await verifier.verify(delegated)
  t.match(access, { actor: { clientId: 'assistant', actor: { clientId: 'router' } } })
  const place = { interface: 'current', organization: 'test-organization' } as const
  await authorize(verifier, delegated, { ...place, workspace: 'wksInside' })
  await t.rejects(authorize(verifier, delegated, { ...place, workspace: 'wksOutside' }), {
    code: 'insufficient_scope',
    reason: 'workspace',
  })
})
