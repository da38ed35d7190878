/** Sign-in pages that come too late, or in a second tab. */
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { approve, signedIn } from '../support/signed-in.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

await onEachBackend('late forms', async (t, { running, issuer, world }) => {
  const { acme, ana, kim, confidential } = world
  const legacy = await createApp(running, { name: 'Old Ledger', interface: 'legacy' })
  await install(running, acme, legacy, { permissions: legacyPermissions })
  const current = (more: Record<string, string> = {}) =>
    authorizeUrl(issuer, confidential, { code_challenge: challengeOf(newVerifier()), ...more })
  const urls = { current, legacy: () => legacyAuthorizeUrl(issuer, legacy) }

  for (const [name, urlOf] of Object.entries(urls)) {
    t.test(`nobody signs in for a request that is over: ${name}`, async (t) => {
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(urlOf())
      const signIn = `/login?return_to=${page.url.pathname}`
      await approve(visitor, page)
      await visitor.fetch(`${issuer}/logout`)
      for (const one of [visitor, createVisitor(issuer)]) {
        const late = await one.get(signIn)
        t.equal(late.status, 400)
        t.equal(late.dom.querySelector('input[type="password"]'), null)
      }
    })

    t.test(`a second tab goes on after the first has signed in: ${name}`, async (t) => {
      const visitor = createVisitor(issuer)
      const [first, second] = [await visitor.get(urlOf()), await visitor.get(urlOf())]
      t.equal(second.url.pathname, '/login')
      const person = { email: ana.email, password: ana.password }
      t.match((await visitor.submit(first, person)).url.pathname, '/interaction/')
      t.match((await visitor.get(second.url)).url.pathname, '/interaction/', 'opened again')
      t.match((await visitor.submit(second, person)).url.pathname, '/interaction/', 'sent')
    })
  }

  t.test('a page that demands a new sign-in still asks for it', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const fresh = await visitor.get(current({ prompt: 'login' }))
    t.match(fresh, { status: 200, url: { pathname: '/login' } })
    t.match(await visitor.get(fresh.url), { status: 200, url: { pathname: '/login' } }, 'reloaded')
    t.match(await visitor.get('/login?again=other'), { url: { pathname: '/login' } })
    t.match(
      await visitor.get('/login'),
      { url: { pathname: '/login' } },
      'another user may sign in',
    )
    t.match(await visitor.get('/login?return_to=/account/apps'), {
      url: { pathname: '/account/apps' },
    })
    const other = await visitor.submit(await visitor.get('/login?again=other'), {
      email: kim.email,
      password: kim.password,
    })
    t.match(other.text, kim.email)
  })
})
