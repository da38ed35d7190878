import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { operatorToken } from '../support/latchkey.ts'
import { startOneServer } from '../support/one-server.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, createWorld, install } from '../support/world.ts'
import { latchkey, latchkeyRunning } from './latchkey-command.ts'

const { running } = await startOneServer(t)

const world = await createWorld(running)
const env = { LATCHKEY_URL: running.issuer }
const native = await createApp(running, {
  name: 'Native',
  client_type: 'public',
  redirect_uris: ['http://127.0.0.1/callback'],
})
await install(running, world.acme, native)

/** Opens the printed URL, as the user would. */
const openPrinted = async (stderr: () => string, decision: 'approve' | 'deny' = 'approve') => {
  await eventually(() => stderr().includes('code_challenge'))
  const address = /http\S+/.exec(stderr())?.[0] ?? ''
  const page = await walk(createVisitor(running.issuer), address, { ...world.ana, decision })
  return page.left as URL
}

t.test('authorize asks in the browser and prints the tokens, refresh exchanges them', async (t) => {
  const command = ['token', 'authorize', '--client-id', native.client_id, '--json']
  const { ended, stderr } = latchkeyRunning(command, env)
  const left = await openPrinted(stderr)
  t.equal(left.hostname, '127.0.0.1')
  t.match(await (await fetch(left)).text(), 'You may close this window')
  const { code, stdout } = await ended
  t.equal(code, 0)
  const tokens = JSON.parse(stdout)
  t.match(tokens, { refresh_token: /^lkrt_/, expires_in: 3600, organization_id: world.acme })

  const refresh = ['token', 'refresh', '--client-id', native.client_id, '--scope', 'records:create']
  const second = await latchkey([...refresh, '--json'], env, stdout)
  t.equal(second.code, 0, second.stderr)
  t.equal(JSON.parse(second.stdout).scope, 'records:create')
  const replay = await latchkey(refresh, env, tokens.refresh_token)
  t.equal(replay.code, 4)
  t.match(replay.stderr, 'invalid_grant')
})

t.test('a denial by the user exits with 4', async (t) => {
  const command = ['token', 'authorize', '--client-id', native.client_id]
  const { ended, stderr } = latchkeyRunning(command, env)
  await fetch(await openPrinted(stderr, 'deny'))
  const { code, stdout, stderr: said } = await ended
  t.equal(code, 4)
  t.equal(stdout, '')
  t.match(said, 'access_denied')
})

t.test('rejects a response with another state', async (t) => {
  const command = ['token', 'authorize', '--client-id', native.client_id]
  const { ended, stderr } = latchkeyRunning(command, env)
  const left = await openPrinted(stderr)
  left.searchParams.set('state', 'forged')
  await fetch(left)
  const { code, stderr: said } = await ended
  t.equal(code, 1)
  t.match(said, 'state')
})

t.test('gets an install token with the secret from the environment, and explains it', async (t) => {
  const { client_id: app, client_secret: secret } = world.confidential
  const command = ['token', 'client-credentials', '--client-id', app, '--organization', world.acme]
  const without = await latchkey(command, env)
  t.equal(without.code, 4)
  t.match(without.stderr, 'LATCHKEY_CLIENT_SECRET')

  const answer = await latchkey([...command, '--json'], { ...env, LATCHKEY_CLIENT_SECRET: secret })
  t.equal(answer.code, 0, answer.stderr)
  const explained = await latchkey(['token', 'inspect'], env, answer.stdout)
  t.equal(explained.code, 0, explained.stderr)
  t.match(explained.stdout, /^valid +yes$/m)
  t.match(explained.stdout, /^kind +install token/m)
  t.ok(explained.stderr.startsWith(`Server: ${running.issuer}\n`), explained.stderr)

  const token: string = JSON.parse(answer.stdout).access_token
  const [header, , signature] = token.split('.')
  const claims = Buffer.from('{"iss":"x","client_id":"y"}').toString('base64url')
  const forged = await latchkey(['token', 'inspect', '--json'], {
    ...env,
    LATCHKEY_ACCESS_TOKEN: `${header}.${claims}.${signature}`,
  })
  t.equal(forged.code, 4)
  t.match(JSON.parse(forged.stdout), { valid: false, reason: /signature is wrong/ })
  t.equal((await latchkey(['token', 'inspect', '--audience', 'https://x'], env, token)).code, 4)
})

t.test('explains tokens that are not JWTs', async (t) => {
  const { code, stderr } = await latchkey(['token', 'inspect'], env, 'lkrt_abc')
  t.equal(code, 4)
  t.match(stderr, 'a refresh token')
  t.notMatch(stderr, 'Server:', 'no server was asked')
})

t.test('with an operator token the server explains any token', async (t) => {
  const requested = { ...env, LATCHKEY_OPERATOR_TOKEN: operatorToken }
  const { client_id: app, client_secret: secret } = world.confidential
  const command = ['token', 'client-credentials', '--client-id', app, '--organization', world.acme]
  const answer = await latchkey([...command, '--json'], { ...env, LATCHKEY_CLIENT_SECRET: secret })
  const path = `/organizations/${world.acme}/installs/${app}`

  const accepted = await latchkey(['token', 'inspect'], requested, answer.stdout)
  t.equal(accepted.code, 0, accepted.stderr)
  t.match(accepted.stdout, /^valid +yes$/m)
  t.match(accepted.stdout, /^kind +install token/m)
  t.equal(accepted.stderr, `Server: ${running.issuer}\n`)
  await running.operator('PATCH', path, { suspended: true })
  const refused = await latchkey(['token', 'inspect', '--json'], requested, answer.stdout)
  t.equal(refused.code, 4)
  t.match(JSON.parse(refused.stdout), {
    valid: false,
    reason: 'An admin has suspended the app here.',
    refused: 'install_suspended',
    token: { client_id: app, organization_id: world.acme, user_id: null },
    claims: { client_id: app },
  })
  const local = await latchkey(['token', 'inspect', '--local'], requested, answer.stdout)
  t.equal(local.code, 0, 'the signature is still valid')
  await running.operator('PATCH', path, { suspended: false })
  const unknown = await latchkey(['token', 'inspect'], requested, 'lkrt_abc')
  t.equal(unknown.code, 4)
  t.match(unknown.stdout, /^sub-reason +unreadable$/m)
})

t.test('simulates what an app would get', async (t) => {
  const requested = { ...env, LATCHKEY_OPERATOR_TOKEN: operatorToken }
  const command = ['token', 'simulate', '--organization', world.acme, '--app']
  const itself = await latchkey([...command, world.confidential.client_id], requested)
  t.equal(itself.code, 0, itself.stderr)
  t.match(itself.stdout, /^token +yes, for 3600 s$/m)
  t.match(itself.stdout, /^records:create +yes +approved$/m)
  t.match(itself.stdout, /^Finance \(wks\w+\) +yes +approved$/m)
  const kim = [...command, world.confidential.client_id, '--user', world.kim.id, '--json']
  const refused = await latchkey(kim, requested)
  t.equal(refused.code, 4)
  t.match(JSON.parse(refused.stdout), { refused: 'consent_missing', token: null })
  t.equal((await latchkey([...command, 'app0'], requested)).code, 3, 'no such app')
})
