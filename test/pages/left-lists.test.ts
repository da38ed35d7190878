/** The way back from a page leads to its list as the reader has left it: searched, filtered, sorted, at a later page. */
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'
import { visitAs } from './operator/operator-visit.ts'
import { decide, wordsOf } from './organization-visit.ts'

/** The way back to a list, beside the tab that leads to its beginning. */
const linkTo = ({ dom }: VisitedPage, path: string) => {
  const hrefs = dom.querySelectorAll('main a').map((one) => one.getAttribute('href') ?? '')
  const links = hrefs.filter((one) => one.split('?')[0] === path)
  return links.find((one) => one.includes('?')) ?? links[0]
}

await onEachBackend('lists as they were left', async (t, { running, issuer, stores, world }) => {
  const { acme, kim } = world
  const app = async (name: string) => {
    const made = await createApp(running, { name })
    await install(running, acme, made, { permissions: [] })
    return made.client_id
  }

  await t.test('in the console, also after a change', async (t) => {
    const { visitor } = await visitAs(running, stores, '*')
    const id = await app('Left')
    const list = '/operator/apps?disabled=false&sort=-name'
    await visitor.get(list)
    await visitor.get('/operator/people?name=ana')
    const at = `/operator/apps/${id}`
    const page = await visitor.get(at)
    t.equal(linkTo(page, '/operator/apps')?.split('?')[1], 'disabled=false&sort=-name')
    const disabled = await visitor.submit(await visitor.get(`${at}/disable`), {})
    t.match(wordsOf(disabled), 'Left')
    t.ok(linkTo(disabled, '/operator/apps')?.includes('disabled=false'))
    const asked = await visitor.get(`${at}/delete`)
    const deleted = await visitor.submit(asked, { typed_name: 'Left' })
    t.equal(deleted.url.searchParams.get('disabled'), 'false')
    t.match(wordsOf(deleted), 'Left is deleted')
    await visitor.get('/operator/apps')
    const other = await visitor.get(`/operator/apps/${world.confidential.client_id}`)
    t.equal(
      linkTo(other, '/operator/apps'),
      '/operator/apps',
      'a list without a filter is left as it is',
    )
  })

  await t.test("in an organization's pages, also after a decision", async (t) => {
    const admin = await signedIn(issuer, kim)
    const id = await app('Ended')
    const list = `/organizations/${acme}/apps`
    await admin.get(`${list}?name=ended&state=working`)
    const page = await admin.get(`${list}/${id}`)
    t.equal(linkTo(page, list), `${list}?name=ended&state=working`)
    const asked = await admin.get(`${list}/${id}/uninstall`)
    const after = await decide(admin, asked, 'uninstall')
    t.match(after.url.search, /^\?name=ended&state=working/)
    t.match(wordsOf(after), 'Ended is uninstalled')
    const members = `/organizations/${acme}/members`
    await admin.get(`${members}?role=member`)
    t.equal(
      linkTo(await admin.get(`${members}/${world.ana.id}`), members),
      `${members}?role=member`,
    )
    await admin.submit(await admin.get('/logout'), {})
    t.notOk([...admin.cookies.keys()].some((name) => name.endsWith('latchkey_lists')))
  })
})
