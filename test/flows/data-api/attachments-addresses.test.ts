/** The addresses of other servers that attachments may connect to: the rules of the server. */
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { isOpenAddress, urlFault } from '../../../examples/data-api/data/attachments/outbound.ts'
import { addresses, urls } from '../../support/hostile-addresses.ts'
import { open, other } from './files.ts'

const within = (fault: string | null) =>
  fault ? new RegExp(`^cols\\[0\\]: the URL ${fault}`) : /x/

t.test('the hostile addresses of the server', async (t) => {
  for (const [address, reach] of addresses) {
    t.equal(isOpenAddress(address, false), reach === 'public', address)
    t.equal(isOpenAddress(address, true), reach !== 'never', `${address}, private ones allowed`)
  }
  for (const [one, fault, withPrivate] of urls) {
    t.equal(urlFault(one, false), fault, one)
    t.equal(urlFault(one, true), withPrivate, `${one}, private allowed`)
  }
})

t.test('hostile URLs are refused before a connection', async (t) => {
  let count = 0
  const resolve = async () => {
    count += 1
    return ['127.0.0.1']
  }
  const closed = await open(t, { allowPrivate: false, resolve })
  const opened = await open(t, { resolve })
  const hasScheme = /^[a-z]+:/
  for (const [one, fault, withPrivate] of urls.filter(([one]) => hasScheme.test(one))) {
    if (fault) await closed.refuses(one, within(fault))
    if (withPrivate) await opened.refuses(one, within(withPrivate))
  }
  t.equal(count, 0, 'no name was resolved')
  t.same(await readdir(closed.storage), [])
  await closed.refuses(`https://hooks.example/${'x'.repeat(9000)}`, /is not an absolute URL/)
})

t.test('names that lead to addresses that are not allowed', async (t) => {
  const hidden = addresses.filter(([, reach]) => reach !== 'public').map(([address]) => address)
  const isAddress = /^[0-9a-f.:]{2,}$/i
  for (const address of hidden.filter((one) => isAddress.test(one))) {
    const { refuses } = await open(t, { allowPrivate: false, resolve: async () => [address] })
    await refuses('https://name.example/', /does not connect to/, address)
  }
  const none = await open(t, { allowPrivate: false, resolve: async () => [] })
  await none.refuses('https://name.example/', /unknown host/)
  const failed = await open(t, {
    resolve: async () => {
      throw new Error('NXDOMAIN')
    },
  })
  await failed.refuses('http://name.example/', /could not be fetched/)
})

t.test('the address that was checked is the one that is used', async (t) => {
  let connections = 0
  const base = await other(t, {
    file: (response) => {
      connections += 1
      response.end('x')
    },
    again: (response) => response.writeHead(302, { location: '/file' }).end(),
  })
  const { port } = new URL(base)
  const results = [['127.0.0.1'], ['169.254.169.254']]
  let lookups = 0
  const { store, refuses } = await open(t, {
    resolve: async () => results[Math.min(lookups++, 1)] ?? [],
  })
  const name = `http://rebound.example:${port}`
  t.match(await store(`${name}/file`), { size: 1 })
  t.equal(lookups, 1, 'a name is resolved once for a connection')
  await refuses(`${name}/file`, /does not connect to/, 'the name has changed')
  t.equal(connections, 1)

  lookups = 0
  await refuses(`${name}/again`, /does not connect to/, 'the name changes before the redirect')
  t.equal(connections, 1)
  const mixed = await open(t, { resolve: async () => ['169.254.169.254', '127.0.0.1'] })
  t.match(await mixed.store(`${name}/file`), { size: 1 }, 'others of its addresses are not used')
})

t.test('each redirect is checked', async (t) => {
  const to = (location: string) => (response: ServerResponse) =>
    response.writeHead(302, { location }).end()
  const base = await other(t, {
    file: (response) => response.end('moved'),
    moved: (response) => response.writeHead(301, { location: '/file' }).end(),
    found: to('moved'),
    other: (response) => response.writeHead(303, { location: '/found' }).end(),
    same: (response) => response.writeHead(307, { location: '/other' }).end(),
    loop: to('/loop'),
    cloud: to('http://169.254.169.254/latest/meta-data'),
    alibaba: to('//100.100.100.200/latest/meta-data'),
    mapped: to('http://[::ffff:169.254.169.254]/'),
    number: to('http://2852039166/'),
    name: to('http://metadata.example/'),
    file2: to('file:///etc/passwd'),
    data: to('data:text/plain,x'),
    user: to('http://a:b@files.example/'),
    fragment: to('/file#x'),
    invalid: to('http://[::1'),
    none: (response) => response.writeHead(302).end(),
    endless: (response) => response.writeHead(302, { location: '/file' }).write('x'),
  })
  const { store, refuses } = await open(t, { resolve: async () => ['169.254.169.254'] })
  for (const one of ['moved', 'found', 'other', 'endless'])
    t.match(await store(`${base}/${one}`), { size: 5 }, one)
  const refused: [paths: string, message: RegExp][] = [
    ['cloud alibaba mapped number name', /does not connect to/],
    ['file2 data', /must use https/],
    ['loop same', /too many redirects/],
    ['invalid none', /wrong redirect/],
    ['user', /user information/],
    ['fragment', /fragment/],
  ]
  for (const [paths, message] of refused)
    for (const path of paths.split(' ')) await refuses(`${base}/${path}`, message)

  const closed = await open(t, { allowPrivate: false })
  await closed.refuses(`${base}/file`, /must use https/)
})
