/**
 * Behaviour of OpenID that only a real browser decides: cookies of cross-site forms, and targets of
 * forms.
 */
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, challengeOf, exchangeCode, newVerifier } from '../support/flows.ts'
import { openidApp } from '../support/openid.ts'
import { answer, inChromium, signIn } from './scene.ts'

const site = 'https://wiki.example'
const signedOutAt = `${site}/signed-out`

await inChromium(
  'OpenID in a browser',
  async ({ running, world, test }) => {
    const { issuer } = running
    const { ana } = world
    const app = await openidApp(running, world, {
      redirect_uris: [`${site}/cb`],
      post_logout_redirect_uris: [signedOutAt],
    })

    /** The last page of the app's site that a page went to. */
    const visited = new WeakMap<Page, string>()
    const isAt = (page: Page, at: string) => visited.get(page)?.startsWith(at) === true

    /** The app's own site, with a form on its pages. */
    const serveApp = async (page: Page, form = '') => {
      page.on('request', (request) => {
        if (request.isNavigationRequest() && request.url().startsWith(site))
          visited.set(page, request.url())
      })
      await page.route(`${site}/**`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><title>Wiki</title><h1>Wiki</h1>${form}`,
        }),
      )
    }
    /** A redirect goes past the route to a host that does not exist: its address is in the request only. */
    const arrived = async (page: Page, at: string) => {
      await eventually(() => isAt(page, at))
      await page.waitForURL(({ href }) => href.startsWith(at) || href.startsWith('chrome-error:'))
      return new URL(visited.get(page) ?? '').searchParams
    }
    const isSignedIn = async (page: Page) => {
      await page.goto(`${issuer}/account/apps`)
      return new URL(page.url()).pathname === '/account/apps'
    }
    const idToken = async (page: Page) => {
      const verifier = newVerifier()
      const requested = {
        scope: 'openid profile email',
        nonce: 'n',
        code_challenge: challengeOf(verifier),
      }
      await page.goto(authorizeUrl(issuer, app, requested))
      await signIn(page, ana)
      const approve = page.locator('button[value="approve"]')
      await eventually(async () => isAt(page, `${site}/cb`) || (await approve.count()) > 0)
      if (!isAt(page, `${site}/cb`)) await answer(page, 'approve')
      const code = (await arrived(page, `${site}/cb`)).get('code') ?? ''
      const { body } = await exchangeCode(issuer, app, { code, verifier })
      return body.id_token as string
    }

    test('the app’s form signs out at once, because Lax cookies come with the next page', async (t, {
      page,
    }) => {
      await serveApp(page)
      const token = await idToken(page)
      t.ok(await isSignedIn(page))
      await page.unroute(`${site}/**`)
      await serveApp(
        page,
        `<form method="post" action="${issuer}/end-session">
           <input type="hidden" name="id_token_hint" value="${token}">
           <input type="hidden" name="post_logout_redirect_uri" value="${signedOutAt}">
           <input type="hidden" name="state" value="bye">
           <button>Sign out</button></form>`,
      )
      await page.goto(site)
      await page.click('button')
      t.equal((await arrived(page, signedOutAt)).get('state'), 'bye')
      t.equal(await isSignedIn(page), false)
    })

    test('the app’s form with prompt=none keeps the session, like its link', async (t, {
      page,
    }) => {
      await serveApp(page)
      await idToken(page)
      const cookies = (await page.context().cookies(issuer)).map(({ name, value }) => [name, value])
      const requested = {
        client_id: app.client_id,
        redirect_uri: app.redirect_uri,
        response_type: 'code',
        scope: 'openid profile email',
        prompt: 'none',
        code_challenge: challengeOf(newVerifier()),
      }
      const inputs = Object.entries(requested).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
      )
      await page.unroute(`${site}/**`)
      const form = `<form method="post" action="${issuer}/authorize">${inputs.join('')}`
      await serveApp(page, `${form}<button>Sign in</button></form>`)
      await page.goto(site)
      await page.click('button')
      const answered = await arrived(page, `${site}/cb`)
      t.ok(answered.get('code'), answered.get('error') ?? '')
      const now = (await page.context().cookies(issuer)).map(({ name, value }) => [name, value])
      t.same(now.sort(), cookies.sort(), 'the browser is the same')
    })

    test('the app’s link asks first, and its form ends at the app', async (t, { page }) => {
      const query = new URLSearchParams({
        client_id: app.client_id,
        post_logout_redirect_uri: signedOutAt,
        state: 'bye',
      })
      await serveApp(page)
      await idToken(page)
      await page.unroute(`${site}/**`)
      await serveApp(page, `<a href="${issuer}/end-session?${query}">Sign out</a>`)
      await page.goto(site)
      await page.click('a')
      await page.waitForSelector('h1:has-text("Sign out?")')
      await page.click('main form[action="/end-session/confirm"] button')
      t.equal((await arrived(page, signedOutAt)).get('state'), 'bye')
      t.equal(await isSignedIn(page), false)
    })

    test('no subresource of a page can sign the user out', async (t, { page }) => {
      await serveApp(page)
      const token = await idToken(page)
      const address = `${issuer}/end-session?id_token_hint=${token}`
      await page.unroute(`${site}/**`)
      await serveApp(page, `<img src="${address}" alt=""><iframe src="${address}"></iframe>`)
      await page.goto(site, { waitUntil: 'networkidle' })
      t.ok(await isSignedIn(page))
    })
  },
  { leaves: true },
)
