import { pino } from 'pino'
import t from 'tap'
import { createServer } from '../../../src/http/server/server.ts'

const proxies = ['10.0.0.0/8', 'fd00::/8']
const client = '203.0.113.51'

/** The address of the client of a request that comes from `peer`. */
const serverOf = async (trustedProxies: string[]) => {
  const server = await createServer({
    logger: pino({ level: 'silent' }),
    trustedProxies,
    issuer: 'http://127.0.0.1',
  })
  server.get('/', async ({ ip, host, protocol }) => ({ ip, host, protocol }))
  t.teardown(() => server.close())
  return async (peer: string, headers: Record<string, string | string[]> = {}) =>
    (await server.inject({ url: '/', remoteAddress: peer, headers })).json()
}

t.test('HTTP-02 the client is the last address that is no trusted proxy', async (t) => {
  const ask = await serverOf(proxies)
  const rows: [peer: string, forwarded: string | string[] | undefined, address: string][] = [
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', client, client],
    ['10.0.0.1', `${client}:20000`, client],
    ['10.0.0.1', `6.6.6.6, ${client}:20000`, client],
    ['10.0.0.1', `${client}:1, 10.2.3.4:5000, [fd00::1]:443`, client],
    ['10.0.0.1', `10.2.3.4:5000, 10.0.0.9`, '10.2.3.4'],
    ['10.0.0.1', `6.6.6.6 ,, ${client}:1 , ,`, client],
    ['10.0.0.1', [`6.6.6.6, ${client}:7`, '10.0.0.2:80'], client],
    ['10.0.0.1', `"<script>", ${client}`, client],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', `${client}, unknown`, '10.0.0.1'],
    ['10.0.0.1', `${client}, _hidden, 10.0.0.3:1`, '10.0.0.3'],
    ['10.0.0.1', '[2001:DB8:0:0::1]:443', '2001:db8::1'],
    ['10.0.0.1', `::ffff:cb00:7133`, client],
    ['::ffff:10.0.0.1', `${client}:20000`, client],
    ['::ffff:a00:1', client, client],
    ['fd00:0::5', client, client],
    ['fd00::5%eth0', client, client],
    [client, '6.6.6.6', client],
    [`::ffff:${client}`, '6.6.6.6', client],
    ['::1', '6.6.6.6', '::1'],
  ]
  for (const [peer, forwarded, address] of rows) {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    t.equal((await ask(peer, headers)).ip, address, `${peer} ← ${String(forwarded)}`)
  }
})

t.test('HTTP-02 other headers name no client, host or scheme', async (t) => {
  const headers = {
    forwarded: 'for=6.6.6.6;host=evil.example;proto=https',
    'x-forwarded-host': 'evil.example, evil.example',
    'x-forwarded-proto': 'HTTPS, https',
    'x-real-ip': '6.6.6.6',
    'true-client-ip': '6.6.6.6',
    host: 'own.example',
  }
  const said = { ip: '10.0.0.1', host: 'own.example', protocol: 'http' }
  t.strictSame(await (await serverOf(proxies))('10.0.0.1', headers), said)
})

t.test('HTTP-02 without trusted proxies the sender is the client', async (t) => {
  const ask = await serverOf([])
  t.equal((await ask('10.0.0.1', { 'x-forwarded-for': client })).ip, '10.0.0.1')
  t.equal((await ask('::ffff:10.0.0.1')).ip, '10.0.0.1')
})
