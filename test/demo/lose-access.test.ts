// Nightly, and when demo/, examples/ or scripts/ changes: it starts the demo.
/** What the tour shows when access is taken away: at the next request, and at an open subscription. */
import { rm } from 'node:fs/promises'
import t from 'tap'
import { people } from '../../demo/cast.ts'
import { startDemo } from '../../demo/demo.ts'
import { createOperatorApi } from '../../src/cli/operator-api.ts'
import { operatorToken } from '../../src/cli/server-address.ts'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { lowPort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createVisitor, type VisitedPage, walk } from '../support/visitor.ts'

if (!(await findPackage().catch(() => null))) t.bailout('there is no packaged Postgres here')

const directory = await temporaryDirectory('demo')
const options = { port: lowPort(), directory, tell: () => undefined, logLevel: 'silent' }
let demo = await startDemo(options)
t.teardown(async () => {
  await demo.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})
const ana = { email: people.ana.email, password: demo.people[0]?.password ?? '' }

const token = await operatorToken({ env: { LATCHKEY_DATA: directory } })
const operator = () => createOperatorApi({ url: demo.issuer, token })
interface Row {
  id: string
  client_id: string
  name: string
}
const rowOf = async (path: string, name: string) =>
  (await operator().list<Row>(path)).find((row) => row.name === name) as Row
const acme = `/organizations/${(await rowOf('/organizations', 'Acme')).id}`

/** The install of an app in Acme. */
const installOf = async (name: string) => {
  const { client_id } = await rowOf('/apps', name)
  const path = `${acme}/installs/${client_id}`
  const leave = (part: { permissions?: string[]; workspace_ids?: string[] }) =>
    operator().call('PATCH', path, part)
  return { client_id, leave, uninstall: () => operator().call('DELETE', path) }
}

/** A browser in which Ana has allowed the app of this chapter. */
const connect = async (chapter: 'current' | 'legacy', client_id: string) => {
  const [client, server] = [createVisitor(demo.client), createVisitor(demo.issuer)]
  const asked = await client.get(`/${chapter}/authorize`)
  const address = asked.dom.querySelector('.panel .buttons a')?.getAttribute('href') ?? ''
  await client.get((await walk(server, address, ana)).left as URL)
  const step = await client.get(`/${chapter}/changes`)
  return {
    show: () => client.get(`/${chapter}/changes`),
    send: () => client.submit(step, {}),
    disconnect: async () => {
      const page = await server.get('/account/apps')
      const forms = page.dom.querySelectorAll('main form')
      const form = forms.find((one) => one.querySelector(`input[value="${client_id}"]`))
      const body = new URLSearchParams({ decision: 'disconnect' })
      for (const input of form?.querySelectorAll('input') ?? [])
        body.set(input.getAttribute('name') ?? '', input.getAttribute('value') ?? '')
      await server.fetch(`${demo.issuer}/account/apps`, { method: 'POST', body })
    },
  }
}

const textsOf = (selector: string) => (page: VisitedPage) =>
  page.dom.querySelectorAll(selector).map(({ text }) => text)
const answersIn = textsOf('[aria-label="JSON of the answer"]')
const stateIn = textsOf('#subscription [role="status"]')

/** The milliseconds until each change is seen. */
const took: number[] = []

/** Repeats until the page shows it. */
const until = async (read: () => Promise<VisitedPage>, shows: (page: VisitedPage) => boolean) => {
  const begun = performance.now()
  let page = await read()
  while (!shows(page)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    page = await read()
  }
  took.push(performance.now() - begun)
  return page
}

t.test('the next request of an app shows what was taken away', async (t) => {
  const { client_id, leave, uninstall } = await installOf('Report Builder')
  const { send, disconnect } = await connect('current', client_id)
  const [workspaces = '', deleted = ''] = answersIn(await send())
  for (const name of ['Sales', 'Support']) t.match(workspaces, name)
  t.notMatch(deleted, 'insufficient_scope')

  await leave({ workspace_ids: [(await rowOf(`${acme}/workspaces`, 'Sales')).id] })
  const narrower = await until(send, (page) => !answersIn(page)[0]?.includes('Support'))
  t.match(answersIn(narrower)[0], 'Sales')

  await leave({ permissions: ['records:create'] })
  const reading = await until(send, (page) => /insufficient_scope/.test(answersIn(page)[1] ?? ''))
  t.match(answersIn(reading)[0], 'Sales')

  const isRefused = (page: VisitedPage) =>
    answersIn(page).every((text) => text.includes('invalid_token'))
  await disconnect()
  await until(send, isRefused)
  const again = await connect('current', client_id)
  t.notOk(isRefused(await again.send()))
  await uninstall()
  await until(again.send, isRefused)
})

t.test('the open subscription of an app shows when its access ends', async (t) => {
  const { client_id, leave, uninstall } = await installOf('Sheet Sync')
  const first = await connect('legacy', client_id)
  const isOpen = (page: VisitedPage) => /open since/.test(stateIn(page)[0] ?? '')
  const isEnded = (page: VisitedPage) =>
    /ended since[\s\S]*token-invalid/.test(stateIn(page)[0] ?? '')
  t.notMatch(answersIn(await first.send())[1], 'insufficient_scope')
  await until(first.show, isOpen)

  await leave({ permissions: ['readData'] })
  const reading = await until(first.send, (page) =>
    /insufficient_scope/.test(answersIn(page)[1] ?? ''),
  )
  t.ok(isOpen(reading), 'it only reads, so it stays open')
  await first.disconnect()
  await until(first.show, isEnded)

  const second = await connect('legacy', client_id)
  await second.send()
  await until(second.show, isOpen)
  await uninstall()
  await until(second.show, isEnded)
})

t.test('the next start installs the apps again', async (t) => {
  await demo.close()
  demo = await startDemo(options)
  for (const name of ['Report Builder', 'Sheet Sync'])
    await t.resolves((await installOf(name)).leave({}), name)
})

t.test('each change is seen soon', async (t) => {
  // A busy machine only makes it slower.
  t.ok(Math.min(...took) < 2000, 'within 2 s')
})
