// form-action of a form's Content-Security-Policy also applies to the redirects after it, so each
// page must allow the app and the origins to which the app redirects.
import type { BrowserContext } from 'playwright-core'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { currentPermissions, install, legacyPermissions, type TestApp } from '../support/world.ts'
import { answer, inChromium, signIn } from './scene.ts'
import { startWebPages } from './web-pages.ts'

const redirectUris = [
  'https://app.example/cb',
  'http://[::1]:49152/cb',
  'com.example.app:/cb',
  'https://app.example:8443/cb?kept=1',
  'com.example.app://oauth/cb',
]

const isOurs = (issuer: string, url: string) => url.startsWith(issuer)

/** The address to which the browser leaves; no server listens there, so the attempt counts. */
const leaving = (context: BrowserContext, issuer: string) =>
  context.waitForEvent('request', (request) => !isOurs(issuer, request.url()))

await inChromium(
  'forms that end at the app',
  async ({ running, world, test, register }) => {
    const { issuer } = running
    const { acme, kim } = world

    const interfaces = {
      current: {
        permissions: currentPermissions,
        urlOf: (app: TestApp) =>
          authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) }),
      },
      legacy: {
        permissions: legacyPermissions,
        urlOf: (app: TestApp) => legacyAuthorizeUrl(issuer, app),
      },
    }

    for (const [name, { permissions, urlOf }] of Object.entries(interfaces)) {
      for (const uri of name === 'current' ? redirectUris : redirectUris.slice(0, 3)) {
        const part = {
          interface: name,
          client_type: uri.startsWith('https:') ? 'confidential' : 'public',
          redirect_uris: [uri],
        }
        const leadsTo = (url: string) => url.startsWith(uri.split('?', 1)[0] as string)

        test(`${name}: ${uri}`, async (t, { page, context }) => {
          const app = await register(part)
          await install(running, acme, app, { permissions })
          const arrive = async (submit: () => Promise<void>) => {
            const [request] = await Promise.all([leaving(context, issuer), submit()])
            t.ok(leadsTo(request.url()), request.url())
            t.match(request.url(), /[?&]code=lkac_/)
          }
          await page.goto(urlOf(app))
          await signIn(page, kim)
          await page.waitForSelector('button[value="approve"]')
          await arrive(() => answer(page, 'approve'))

          if (part.client_type === 'public') return
          await context.clearCookies()
          const another = await context.newPage()
          await another.goto(urlOf(app))
          await arrive(() => signIn(another, kim))
        })
      }
    }

    const leadOn = async (to?: string) => {
      const [app, elsewhere] = [await startWebPages('127.0.0.1'), await startWebPages('localhost')]
      const home = elsewhere.put('/home', '<h1>You are back</h1>')
      app.pages.set('/cb', { html: '', status: 303, headers: { location: to ?? home } })
      return { redirectUri: `${app.origin}/cb`, home, requested: app.requested }
    }

    const waysBack: Record<string, [keyof typeof interfaces, Record<string, string>]> = {
      'current, by a redirect': ['current', {}],
      'current, by a form': ['current', { response_mode: 'form_post' }],
      'legacy, by a redirect': ['legacy', {}],
    }
    for (const [way, [name, more]] of Object.entries(waysBack)) {
      test(`the form may end at an app that redirects to another origin: ${way}`, async (t, {
        page,
      }) => {
        const { redirectUri, home, requested } = await leadOn()
        const app = await register({ interface: name, redirect_uris: [redirectUri] })
        const { permissions, urlOf } = interfaces[name]
        await install(running, acme, app, { permissions })
        await page.goto(`${urlOf(app)}&${new URLSearchParams(more)}`)
        await signIn(page, kim)
        await page.waitForSelector('button[value="approve"]')
        await answer(page, 'approve')
        await page.waitForURL(home)
        t.equal(await page.locator('h1').innerText(), 'You are back')
        t.match(`${requested.at(-1)?.path} ${requested.at(-1)?.body}`, /code=lkac_/)
      })
    }

    for (const [way, [name, more]] of Object.entries(waysBack)) {
      test(`the app may go on to a program of the computer: ${way}`, async (t, {
        page,
        context,
      }) => {
        const { redirectUri } = await leadOn('claude://signed-in')
        const app = await register({ interface: name, redirect_uris: [redirectUri] })
        const { permissions, urlOf } = interfaces[name]
        await install(running, acme, app, { permissions })
        const refusals: string[] = []
        page.on('console', (message) => refusals.push(message.text()))
        await page.goto(`${urlOf(app)}&${new URLSearchParams(more)}`)
        await signIn(page, kim)
        await page.waitForSelector('button[value="approve"]')
        const arrived = context.waitForEvent('request', (one) => one.url().startsWith(redirectUri))
        await answer(page, 'approve')
        const left = await (await arrived).response()
        t.equal(left?.headers().location, 'claude://signed-in')
        await page.waitForTimeout(200)
        t.same(
          refusals.filter((one) => one.includes('form-action')),
          [],
        )
      })
    }

    test('a sign-out may end at an app that redirects to another origin', async (t, { page }) => {
      const { redirectUri, home, requested } = await leadOn()
      const app = await register({ openid: true, post_logout_redirect_uris: [redirectUri] })
      await page.goto(`${issuer}/login`)
      await signIn(page, kim)
      await page.waitForURL(`${issuer}/`)
      const parameters = { client_id: app.client_id, post_logout_redirect_uri: redirectUri }
      await page.goto(`${issuer}/end-session?${new URLSearchParams(parameters)}`)
      await page.click('main form button')
      await page.waitForURL(home)
      t.equal(requested.length, 1)
    })

    test('a page that cannot end at an app keeps its forms here', async (t, { page }) => {
      for (const path of ['/login', '/login?return_to=/account/apps', '/forgot-password', '/']) {
        const answer = await page.goto(`${issuer}${path}`)
        t.match(answer?.headers()['content-security-policy'], "form-action 'self'", path)
      }
    })
  },
  { onlyOn: 'embedded', leaves: true },
)
