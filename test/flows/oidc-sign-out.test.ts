import { onEachBackend } from '../support/on-each-backend.ts'
import { createOpenidProvider, providerClient } from '../support/openid-provider.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, type VisitedPage, type Visitor } from '../support/visitor.ts'

const provider = await createOpenidProvider()
const environment = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: providerClient.id,
  OIDC_CLIENT_SECRET: providerClient.secret,
}
provider.accounts.set('nia', { email: 'nia@new.test', email_verified: true, name: 'Nia' })

const linkTo = (page: VisitedPage, start: string) =>
  page.dom.querySelector(`main a[href^="${start}"]`)?.getAttribute('href')?.replaceAll('&amp;', '&')

await onEachBackend(
  "signing out at the platform's provider",
  async (t, { issuer, world }) => {
    const callback = `${issuer}/login/callback`
    await provider.start([callback])
    t.teardown(provider.stop)

    const out = async (visitor: Visitor) => {
      const page = await visitor.get('/login')
      return (await visitor.get(linkTo(page, '/login/oidc') ?? '')).left as URL
    }
    const signOut = async (visitor: Visitor) => visitor.submit(await visitor.get('/logout'), {})

    await t.test(
      'a sign-out ends the session here, then at the provider, and returns to the sign-in page',
      async (t) => {
        const [visitor, there] = [createVisitor(issuer), provider.visitor()]
        await visitor.get(await provider.answer(there, await out(visitor), 'nia'))
        const known = await there.get(await out(createVisitor(issuer)))
        t.ok(known.left, 'the provider asks no question')

        const page = await signOut(visitor)
        t.match(page.text, 'You are signed out')
        t.equal(
          (await visitor.get('/account/apps')).url.pathname,
          '/login',
          'the session here has ended',
        )
        const url = new URL(linkTo(page, provider.issuer) ?? '')
        t.same(Object.fromEntries(url.searchParams), {
          client_id: providerClient.id,
          post_logout_redirect_uri: `${issuer}/login`,
        })

        const question = await there.get(url)
        t.equal(question.status, 200)
        const form = question.dom.querySelector('form')
        const answer = await there.fetch(form?.getAttribute('action') ?? '', {
          method: 'POST',
          body: new URLSearchParams({
            xsrf: form?.querySelector('input[name="xsrf"]')?.getAttribute('value') ?? '',
            logout: 'yes',
          }),
        })
        t.equal(answer.headers.get('location'), `${issuer}/login`)
        const requested = await there.get(await out(createVisitor(issuer)))
        t.equal(requested.left, null, 'the provider asks for the user')
      },
    )

    await t.test('a user who signed in by password is not sent to the provider', async (t) => {
      const page = await signOut(await signedIn(issuer, world.ana))
      t.match(page.text, 'You are signed out')
      t.equal(page.url.search, '')
      t.notOk(linkTo(page, provider.issuer))
    })

    await t.test('a provider that is down does not block the sign-out', async (t) => {
      const visitor = createVisitor(issuer)
      await visitor.get(await provider.answer(provider.visitor(), await out(visitor), 'nia'))
      await provider.stop()
      const page = await signOut(visitor)
      t.equal(page.status, 200)
      t.match(page.text, 'You are signed out')
      await provider.start([callback])
    })
  },
  { environment },
)

const silent = await createOpenidProvider()

await onEachBackend(
  'a provider without a sign-out endpoint',
  async (t, { issuer }) => {
    await silent.start([`${issuer}/login/callback`], false)
    t.teardown(silent.stop)
    const visitor = createVisitor(issuer)
    t.ok(linkTo(await visitor.get('/login'), '/login/oidc'))
    const page = await visitor.get('/signed-out?provider')
    t.match(page.text, 'You are signed out')
    t.notOk(linkTo(page, silent.issuer))
  },
  { environment: { ...environment, OIDC_ISSUER: silent.issuer } },
)
