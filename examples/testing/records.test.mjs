// A data API is tested against a server that makes every token.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { authorize, createVerifier } from '@latchkey-auth/verify'

const [command, ...args] = (process.env.LATCHKEY ?? 'node_modules/.bin/latchkey').split(' ')
let server
let issuer
let verifier

before(async () => {
  server = spawn(command, [...args, 'test-server'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout, 'data')
  issuer = String(line).trim()
  verifier = createVerifier({
    issuer,
    audience: issuer,
    // The resource server of the default seed.
    resourceServer: { clientId: 'data-api', clientSecret: 'Zc5gXe8uVd2nWk7Qx4fRt9LsYb3hJm6p' },
  })
})

after(async () => {
  await verifier.close()
  server.kill()
})

const tokenFor = async (wanted) => {
  const answer = await fetch(`${issuer}/test/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  })
  return (await answer.json()).token
}

const createRecord = (token, workspace) =>
  authorize(verifier, token, {
    interface: 'current',
    permissions: ['records:create'],
    organization: 'acme',
    workspace,
  })

test('a user creates records in the own workspace only', async () => {
  const token = await tokenFor({ kind: 'user' })
  assert.equal((await createRecord(token, 'wksInside')).userId, 'ana')
  await assert.rejects(createRecord(token, 'wksOutside'), { code: 'insufficient_scope' })
})

test('an expired token and one of another audience are refused', async () => {
  for (const wrong of [{ expires_in: -60 }, { audience: 'https://other.test' }])
    await assert.rejects(createRecord(await tokenFor({ kind: 'user', ...wrong }), 'wksInside'), {
      code: 'token-invalid',
    })
})
