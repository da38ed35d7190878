/** A day of recorded traffic through the library of data APIs, and what the pages make of it. */
import { authorize, createVerifier } from '../../packages/verify/src/verify.ts'
import { ticked, wordsOf } from '../pages/organization-visit.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { withinOneDay } from '../support/one-day.ts'
import { readFeed, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp, currentPermissions, install, type TestApp } from '../support/world.ts'

await withinOneDay()
await onEachBackend('a day of traffic', async (t, { running, issuer, world }) => {
  const { acme, kim, ana } = world
  const dataApi = await registerResourceServer(running)
  const named = async (name: string, owners: string[] = []) => {
    const app = await createApp(running, { name, owners })
    await install(running, acme, app)
    return app
  }
  const writer = await named('Writer', [ana.id])
  const reader = await named('Reader')
  const keeper = await named('Keeper')

  /** A request each five minutes: who sends it, and what it needs. */
  const traffic = Array.from({ length: 288 }, (_, at): [TestApp, string[]] => {
    if (at % 3 === 0) return [reader, []]
    if (at % 3 === 1)
      return [keeper, [currentPermissions[at % 9 === 1 ? 0 : at % 9 === 4 ? 1 : 2] as string]]
    return [writer, [at === 251 ? 'workspace_members:read' : 'records:create']]
  })
  const replay = async () => {
    const verifier = createVerifier({
      issuer,
      audience: issuer,
      resourceServer: dataApi,
      log: false,
    })
    const tokens = new Map<TestApp, string>()
    for (const app of [writer, reader, keeper])
      tokens.set(app, (await clientCredentials(issuer, app, acme)).body.access_token as string)
    const refused: unknown[] = []
    for (const [app, permissions] of traffic) {
      const requirement = { interface: 'current', organization: acme, permissions } as const
      await authorize(verifier, tokens.get(app), requirement).catch((error) => refused.push(error))
    }
    await verifier.close()
    return refused
  }

  const admin = await signedIn(issuer, kim)
  const base = `/organizations/${acme}`
  const review = () => admin.get(`${base}/review?finding=idle`)

  await readFeed(issuer, dataApi)
  t.match(wordsOf(await review()), 'Try fewer or shorter words')
  const unmeasured = await admin.get(`${base}/apps/${writer.client_id}`)
  t.match(wordsOf(unmeasured), 'Use of permissions is not measured')
  t.notMatch(wordsOf(unmeasured), 'Not used for')

  t.same(await replay(), [])
  const usage = async (app: TestApp) => {
    const { body } = await running.operator('GET', `${base}/installs/${app.client_id}/usage`)
    return body.permissions.map((one: { count: number }) => one.count)
  }
  t.same(await usage(writer), [95, 0, 1, 0])
  t.same(await usage(reader), [0, 0, 0, 96])
  t.same(await usage(keeper), [32, 32, 32, 0])

  let page = await review()
  const rowOf = (name: string) =>
    page.dom.querySelectorAll('tbody tr').find((row) => row.querySelector('th')?.text === name)
      ?.text
  t.match(rowOf('Writer'), 'Not used for 30 days: Update records')
  t.notMatch(rowOf('Writer'), 'names and e-mail')
  t.match(rowOf('Reader'), /Not used for 30 days: .*;.*;/)
  t.equal(rowOf('Keeper'), undefined)
  const csv = await (await admin.fetch(`${issuer}${base}/review?format=csv`)).text()
  t.match(csv, ',records:update,records:update,')

  const owner = await signedIn(issuer, ana)
  const makers = wordsOf(await owner.get(`/developer/apps/${writer.client_id}`))
  t.match(makers, 'Not used for 30 days: Update records')

  for (const [app, left] of [
    [writer, ['records:create', 'workspace_members:read']],
    [reader, []],
  ] as const) {
    let form = page
    // The use of an install is written a moment later.
    await eventually(async () => {
      form = await admin.get(`${base}/apps/${app.client_id}/change?unused=30`)
      return wordsOf(form).includes('The app itself would have less, too.')
    })
    t.same(ticked(form, 'permissions'), left)
    t.match(wordsOf(form), 'No person would have less.')
    await admin.submit(form, { decision: 'change' })
    const { body } = await running.operator('GET', `${base}/installs/${app.client_id}`)
    t.same(body.permissions, left)
  }
  t.same(await replay(), [])
  page = await review()
  for (const name of ['Writer', 'Reader', 'Keeper']) t.equal(rowOf(name), undefined, name)
})
