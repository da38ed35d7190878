// The playground of the data API. `npm run build:all` builds it.
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { legacyKeys } from '../flows/data-api/tokens.ts'
import { ask, type RunningDataApi, startDataApi } from '../support/data-api.ts'
import { freePort } from '../support/free-port.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { createApp, install } from '../support/world.ts'
import { startChromium } from './chromium.ts'
import { answer, signIn, watch } from './scene.ts'

const permissions = {
  current: ['records:create', 'workspace_members:read'],
  legacy: ['readData', 'readMembers'],
}

/** A data API whose playground signs in as these apps. */
const withPlayground = async (t: Test, scene: Scene): Promise<RunningDataApi> => {
  const { running, world } = scene
  const url = `http://127.0.0.1:${await freePort()}`
  const register = async (name: 'current' | 'legacy') => {
    const app = await createApp(running, {
      name: `Playground, ${name}`,
      interface: name,
      client_type: 'public',
      redirect_uris: [`${url}/playground`],
      permissions: permissions[name],
    })
    await install(running, world.acme, app, { permissions: permissions[name] })
    return app.client_id
  }
  const playground = { current: await register('current'), legacy: await register('legacy') }
  const server = await registerResourceServer(running)
  return startDataApi(t, scene, server, {}, { url, playground })
}

const says = (page: Page, words: string | RegExp) =>
  page.locator('[role=status]', { hasText: words }).waitFor()

/** Signs in at the server, and returns to the playground. */
const enter = async (page: Page, { world }: Scene) => {
  await page.click('header button:has-text("Sign in")')
  await signIn(page, world.ana)
  await answer(page, 'approve')
  await page.waitForURL('**/playground*')
}

/** Runs the default query. @returns the shown answer */
const run = async (page: Page, expected: string) => {
  await page.click('.graphiql-execute-button')
  await page.locator('.result-window', { hasText: expected }).waitFor()
  return page.locator('.result-window').innerText()
}

/** Replaces the query in the editor. */
const write = (page: Page, query: string) =>
  page.evaluate(
    `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(${JSON.stringify(query)})`,
  )

/** Signs out, which revokes the token. */
const leave = async (page: Page) => {
  const revoked = page.waitForResponse('**/api/oauth/revoke')
  await page.click('header button:has-text("Sign out")')
  await says(page, 'Signed out')
  return (await revoked).status()
}

const openSchema = async (page: Page) => {
  await page.click('button[aria-label="Show Documentation Explorer"]')
  const types = page.locator('.graphiql-doc-explorer')
  await types.filter({ hasText: 'All schema types' }).waitFor()
  return types.innerText()
}

/** The page never scrolls sideways, and shows its own header whole. GraphiQL may scroll by itself. */
const fits = async (t: Test, page: Page, name: string) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    const wide = await page.evaluate<string[]>(`
      [document.documentElement, ...document.querySelectorAll('header, header *, main')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > innerWidth)
        .map((one) => one.outerHTML.slice(0, 120))`)
    t.same(wide, [], `${name} at ${width} px`)
  }
}

const inWindow = async (
  t: Test,
  { browser, hosts }: { browser: Browser; hosts: string[] },
  work: (page: Page) => Promise<void>,
) => {
  const context = await browser.newContext()
  context.setDefaultTimeout(30_000)
  const faults = watch(context, hosts)
  try {
    await work(await context.newPage())
  } finally {
    await context.close()
  }
  t.same(faults, [], 'no console messages, no other host')
}

const browser = await startChromium()
if (browser)
  await onEachBackend('playground', async (t, scene) => {
    const api = await withPlayground(t, scene)
    const hosts = [api.url, scene.issuer].map((url) => new URL(url).host)
    const test = (name: string, work: (t: Test, page: Page) => Promise<void>) =>
      t.test(name, (t) => inWindow(t, { browser, hosts }, (page) => work(t, page)))

    await test('explores the schema of the current interface and queries it', async (t, page) => {
      await page.goto(`${api.url}/playground`)
      await says(page, 'Signed out')
      await fits(t, page, 'signed-out')
      await enter(page, scene)
      await says(page, 'records:create')
      await says(page, 'workspace_members:read')
      await says(page, `of ${scene.world.sales}`)
      t.match(await run(page, scene.world.sales), `of ${scene.world.support}`)
      const schema = await openSchema(page)
      for (const type of ['RecordConnection', 'Workspace', 'Table', 'Team']) t.match(schema, type)
      await fits(t, page, 'current')
      t.equal(await leave(page), 200)
    })

    await test('queries the legacy interface', async (t, page) => {
      await page.goto(`${api.url}/playground?interface=legacy`)
      await says(page, 'Signed out')
      await enter(page, scene)
      await says(page, 'readMembers')
      t.match(await run(page, 'Customers'), 'Visits')
      const writer = await legacyKeys(scene, scene.world.acme)(['readData', 'insertData'])
      const { value } = await ask(api, { query: '{ databases { _id } }', variables: { ...writer } })
      const databaseId = value[0]._id
      await write(page, `subscription { rowsChanged(databaseId: "${databaseId}") { _id } }`)
      // Listens before the socket opens: the frame may be sent before a wait for it begins.
      const subscribed = new Promise<void>((resolve) => {
        page.on('websocket', (socket) =>
          socket.on('framesent', ({ payload }) => {
            if (String(payload).includes('rowsChanged')) resolve()
          }),
        )
      })
      await page.click('.graphiql-execute-button')
      await subscribed
      const insert = `mutation ($databaseId: ID!) { insert(databaseId: $databaseId, cols: []) { _id } }`
      const shown = page.locator('.result-window', { hasText: 'rowsChanged' })
      while (!(await shown.isVisible()))
        await ask(api, { query: insert, variables: { databaseId, ...writer } })
      await page.click('.graphiql-execute-button')
      t.match(await openSchema(page), 'Database')
      await fits(t, page, 'legacy')
      t.equal(await leave(page), 200)
    })
  })
