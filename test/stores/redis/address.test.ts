import t from 'tap'
import { readRedisUrl } from '../../../src/stores/redis/address.ts'

const none = { username: null, password: null, tls: false }
const sentinel = { kind: 'sentinel', name: 'main', database: 0, sentinelPassword: null, ...none }
const hosts = [
  { host: 'a', port: 26379 },
  { host: 'b.example', port: 1 },
]

const good: [string, object][] = [
  ['redis://host', { kind: 'server', url: 'redis://host' }],
  ['rediss://u:p@host:1/2', { kind: 'server', url: 'rediss://u:p@host:1/2' }],
  ['redis+sentinel://a,b.example:1/main', { ...sentinel, hosts }],
  ['redis+sentinel://a,b.example:1/main/3', { ...sentinel, hosts, database: 3 }],
  [
    'rediss+sentinel://lk:p%40ss:x@a,b.example:1/main?sentinel_password=s%26t',
    { ...sentinel, hosts, username: 'lk', password: 'p@ss:x', sentinelPassword: 's&t', tls: true },
  ],
  [
    'redis+cluster://:secret@[::1]:7000,a',
    {
      ...none,
      kind: 'cluster',
      hosts: [
        { host: '::1', port: 7000 },
        { host: 'a', port: 6379 },
      ],
      password: 'secret',
    },
  ],
]

const bad = [
  'http://host',
  'redis://u:p/w@host',
  'redis://:p#w@host',
  'redis+sentinel://a',
  'redis+sentinel://a/main/x',
  'redis+sentinel://a/main/0/1',
  'redis+sentinel:///main',
  'redis+cluster://a,,b',
  'redis+cluster://a:port',
  'redis+cluster://a/1',
  'redis+cluster://%zz:x@a',
]

t.test('parses Redis addresses', async (t) => {
  for (const [url, address] of good) t.same(readRedisUrl(url), address, url)
})

t.test('rejects addresses without a target', async (t) => {
  for (const url of bad) t.equal(readRedisUrl(url), null, url)
})
