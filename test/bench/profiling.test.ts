// Nightly, and when bench/ changes: it tries the benchmark.
import t from 'tap'
import { partOfFrame, sharesOf } from '../../bench/profiling.ts'

const frame = (functionName: string, url: string) => ({
  functionName,
  url,
  scriptId: '0',
  lineNumber: 0,
  columnNumber: 0,
})

t.test('a frame belongs to the part of its file', (t) => {
  for (const [url, part] of [
    ['node:internal/crypto/sig', 'Node: signatures and hashes'],
    ['node:_http_server', 'Node: HTTP, sockets, streams'],
    ['file:///app/node_modules/fastify/lib/route.js', 'Fastify and its plugins'],
    ['file:///app/node_modules/@fastify/formbody/formbody.js', 'Fastify and its plugins'],
    ['file:///app/node_modules/pg-protocol/dist/parser.js', 'pg'],
    ['file:///app/node_modules/ioredis/built/Redis.js', 'ioredis'],
    ['file:///app/node_modules/oidc-provider/node_modules/koa/lib/context.js', 'oidc-provider'],
    ['file:///app/node_modules/jose/dist/index.js', 'other packages'],
    ['file:///app/dist/core/grants/grants.js', 'own code'],
  ] as const)
    t.equal(partOfFrame(frame('f', url)), part, url)
  t.equal(partOfFrame(frame('(idle)', '')), 'idle')
  t.equal(partOfFrame(frame('sign', '')), null, 'a native function')
  t.end()
})

t.test('shares are those of the busy time, and native functions count for their caller', (t) => {
  const shares = sharesOf({
    startTime: 0,
    endTime: 1000,
    nodes: [
      { id: 1, callFrame: frame('(root)', ''), children: [2, 3, 5] },
      { id: 2, callFrame: frame('(idle)', '') },
      { id: 3, callFrame: frame('signOneShot', 'node:internal/crypto/sig'), children: [4] },
      { id: 4, callFrame: frame('sign', '') },
      { id: 5, callFrame: frame('respond', 'file:///app/dist/http/answer.js') },
    ],
    samples: [2, 3, 4, 5],
    timeDeltas: [600, 100, 200, 100],
  })
  t.same(shares, { 'Node: signatures and hashes': 0.75, 'own code': 0.25 })
  t.end()
})
