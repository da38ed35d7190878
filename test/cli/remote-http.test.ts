import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startCanary } from '../support/canary.ts'
import { latchkey } from './latchkey-command.ts'

const secrets = {
  LATCHKEY_OPERATOR_TOKEN: 'operator-token',
  LATCHKEY_CLIENT_SECRET: 'client-secret',
  LATCHKEY_REFRESH_TOKEN: 'refresh-token',
}

/** Each command sends a secret. */
const commands = [
  ['app', 'list'],
  ['app', 'create', '--name', 'A', '--redirect-uri', 'https://a.example/'],
  ['key-set', 'list', 'org1'],
  ['audit'],
  ['token', 'refresh', '--client-id', 'app1'],
  ['token', 'client-credentials', '--client-id', 'app1', '--organization', 'org1'],
  ['token', 'authorize', '--client-id', 'app1'],
]

const remote = [
  'http://auth.example',
  'http://127.0.0.1.example:3000',
  'http://localhost.example',
  'http://auth.localhost:3000',
  'http://127.0.0.1:3000@auth.example',
  'http://128.0.0.1:3000',
  'http://0.0.0.0:3000',
  'http://[::ffff:127.0.0.1]:3000',
  'http://10.0.0.1',
  'HTTP://AUTH.EXAMPLE',
]

t.test('HTTP-13 sends no token or secret over http to another machine', async (t) => {
  for (const command of commands) {
    for (const name of ['LATCHKEY_URL', 'ISSUER']) {
      const { code, stderr } = await latchkey(command, {
        ...secrets,
        [name]: 'http://auth.example',
      })
      t.equal(code, 2, command.join(' '))
      t.match(stderr, `${name} must use https`)
    }
  }
  for (const url of remote) {
    const { code, stderr } = await latchkey(['app', 'list'], { ...secrets, LATCHKEY_URL: url })
    t.equal(code, 2, url)
    t.match(stderr, 'must use https', url)
  }
})

t.test('allows http to addresses of this machine', async (t) => {
  for (const host of ['127.0.0.1', '127.8.9.10', '127.1', 'localhost', '[::1]']) {
    const { code } = await latchkey(['app', 'list'], {
      ...secrets,
      LATCHKEY_URL: `http://${host}:9`,
    })
    t.equal(code, 5, `${host}: nothing listens there`)
  }
})

t.test('HTTP-13 does not follow redirects', async (t) => {
  const canary = await startCanary()
  const server = createServer((_request, response) =>
    response.writeHead(307, { location: `${canary.url}/api/oauth/token` }).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  t.teardown(canary.stop)
  const LATCHKEY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const command of commands.slice(0, 6)) {
    const { code } = await latchkey(command, { ...secrets, LATCHKEY_URL })
    t.not(code, 0, command.join(' '))
  }
  t.same(canary.requested, [])
})
