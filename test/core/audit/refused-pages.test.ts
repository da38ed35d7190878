import t from 'tap'
import { createRefusedPages, type RefusedPage } from '../../../src/core/audit/refused-pages.ts'

const page = (at: number, part: Partial<RefusedPage>): RefusedPage => ({
  requestId: `req_${at}`,
  organizationId: null,
  clientId: null,
  userId: null,
  address: '192.0.2.1',
  detail: { page: 'redirectUri', reason: 'x', error: null, status: 400, endpoint: '/authorize' },
  ...part,
})
const network = (at: number) => `10.${at >> 8}.${at & 255}.1`

/** Records pages, closes, and returns what was written. */
const written = async (work: (record: (page: RefusedPage) => void, wait: () => void) => void) => {
  let time = 0
  const pages: RefusedPage[] = []
  const store = {
    append: async (batch: readonly RefusedPage[]) => void pages.push(...batch),
    find: async () => null,
  }
  const refused = createRefusedPages(
    store,
    () => undefined,
    () => time,
  )
  work(refused.record, () => {
    time += 60_000
  })
  await refused.close()
  return pages
}

const thousand = Array.from({ length: 1000 }, (_, at) => at)

t.test('each source has its share of a minute', async (t) => {
  const floods: [name: string, of: (at: number) => Partial<RefusedPage>, most: number][] = [
    ['one network', () => ({}), 5],
    ['one network of IPv6', (at) => ({ address: `2001:db8:1:1::${at}` }), 5],
    ['many networks, one app', (at) => ({ address: network(at), clientId: 'app1' }), 20],
    ['many networks', (at) => ({ address: network(at) }), 60],
    ['one person', (at) => ({ userId: 'usr1', address: network(at) }), 10],
    ['one organization', (at) => ({ userId: `usr${at}`, organizationId: 'org1' }), 60],
    ['everyone who is signed in', (at) => ({ userId: `usr${at}` }), 300],
  ]
  for (const [name, of, most] of floods) {
    const pages = await written((record) => {
      for (const at of thousand) record(page(at, of(at)))
    })
    t.equal(pages.length, most, name)
  }
})

t.test('a flood leaves the shares of others, and ends with its minute', async (t) => {
  const pages = await written((record, wait) => {
    for (const at of thousand) record(page(at, { address: network(at), clientId: 'app1' }))
    record(page(1001, { clientId: 'app2' }))
    for (const at of thousand) record(page(at, { address: network(at) }))
    record(page(1002, { userId: 'usr1' }))
    record(page(1003, { detail: { ...page(0, {}).detail, page: 'expired' } }))
    wait()
    record(page(1004, { clientId: 'app1' }))
  })
  const ids = pages.map(({ requestId }) => requestId)
  for (const at of [1001, 1002, 1003, 1004]) t.ok(ids.includes(`req_${at}`), String(at))
})
