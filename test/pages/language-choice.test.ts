import { parse } from 'node-html-parser'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, mainForm, type Visitor } from '../support/visitor.ts'
import { createApp, currentPermissions, install } from '../support/world.ts'

await onEachBackend('the language of pages', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, ana, kim } = world

  /** One page, in a browser that prefers a language. */
  const read = async (visitor: Visitor, path: string, accepted?: string) => {
    const headers = accepted === undefined ? {} : { 'accept-language': accepted }
    const response = await visitor.fetch(new URL(path, issuer), { headers })
    const html = parse(await response.text())
    const root = html.querySelector('html')
    return {
      html,
      headers: response.headers,
      language: root?.getAttribute('lang'),
      direction: root?.getAttribute('dir'),
      heading: html.querySelector('h1')?.text,
    }
  }

  /** Sends the form in the footer. */
  const choose = async (visitor: Visitor, path: string, locale: string, returnTo?: string) => {
    const { html } = await read(visitor, path)
    const form = html.querySelector('footer form')
    const value = (name: string) =>
      form?.querySelector(`[name=${name}]`)?.getAttribute('value') ?? ''
    const body = new URLSearchParams({
      _csrf: value('_csrf'),
      return_to: returnTo ?? value('return_to'),
      locale,
    })
    return visitor.fetch(new URL('/language', issuer), { method: 'POST', body, redirect: 'manual' })
  }

  await t.test('Accept-Language decides for people who have chosen none', async (t) => {
    const visitor = createVisitor(issuer)
    const cases: [string | undefined, string][] = [
      [undefined, 'en'],
      ['*', 'en'],
      ['de-AT,de;q=0.9,en;q=0.5', 'de'],
      ['nl,pt-PT;q=0.8', 'pt-BR'],
      ['en-US,en;q=0.9,de;q=0.8', 'en'],
      ['ja;q=0.1, ar;q=0.7', 'ar'],
      ['de;q=0', 'en'],
      ['x-\u00e4, ; ;q=, de--x, fr-CA', 'fr'],
      [`${'de-'.repeat(3000)}`, 'en'],
      ['zh', 'en'],
    ]
    for (const [accepted, language] of cases) {
      const page = await read(visitor, '/login', accepted)
      t.equal(page.language, language, String(accepted))
      t.equal(page.headers.get('content-language'), language)
      t.match(page.headers.get('vary'), /Accept-Language/)
      t.equal(page.direction, language === 'ar' ? 'rtl' : 'ltr')
    }
    const missing = await read(visitor, '/nothing', 'de')
    t.equal(missing.language, 'de', 'error pages too')
    t.equal(missing.html.querySelector('footer form'), null, 'but without a form')
  })

  await t.test('a choice in the footer stays with the browser', async (t) => {
    const visitor = createVisitor(issuer)
    const answer = await choose(visitor, '/login?return_to=%2Faccount%2Fapps', 'de')
    t.equal(answer.status, 303)
    t.equal(answer.headers.get('location'), '/login?return_to=%2Faccount%2Fapps')
    t.equal((await read(visitor, '/login', 'fr')).language, 'de')
    t.equal(
      (await read(visitor, '/login', 'fr')).html.querySelector('title')?.text,
      'Anmelden · Latchkey',
    )

    await choose(visitor, '/login', 'tlh')
    t.equal(
      (await read(visitor, '/login', 'fr')).language,
      'de',
      'an unknown language changes nothing',
    )
    const away = await choose(visitor, '/login', 'fr', 'https://evil.example/')
    t.equal(away.headers.get('location'), '/')
    for (const address of [
      'https://evil.example/',
      '//evil.example',
      '/%zz?%zz',
      '/\\evil',
      '\0',
    ]) {
      const word = Buffer.from(address).toString('base64url')
      const elsewhere = await choose(visitor, '/login', 'fr', word)
      t.equal(elsewhere.status, 303, address)
      t.match(elsewhere.headers.get('location'), /^\/(?:$|%zz)/, address)
    }

    const forged = await visitor.fetch(new URL('/language', issuer), {
      method: 'POST',
      body: new URLSearchParams({ locale: 'ja', return_to: '/' }),
    })
    t.equal(forged.status, 403)
    t.equal((await read(visitor, '/login')).language, 'fr')

    visitor.cookies.set('latchkey_language', 'de<script>')
    t.equal((await read(visitor, '/login')).language, 'en')
  })

  await t.test('a user’s choice is kept with the user and audited', async (t) => {
    const visitor = await signedIn(issuer, ana)
    await choose(visitor, '/account/apps', 'de')
    t.equal((await operator('GET', `/users/${ana.id}`)).body.locale, 'de')
    const items = (await operator('GET', '/audit?type=user.changed&limit=100')).body.items as {
      type: string
    }[]
    t.match(
      items.find(({ type }) => type === 'user.changed'),
      { actor: { kind: 'user', id: ana.id }, detail: { changed: ['locale'] } },
    )

    const elsewhere = await signedIn(issuer, ana)
    elsewhere.cookies.delete('latchkey_language')
    t.equal((await read(elsewhere, '/account/apps', 'fr')).language, 'de', 'in another browser')

    t.equal((await operator('PATCH', `/users/${ana.id}`, { locale: 'xx' })).status, 400)
    t.equal((await operator('PATCH', `/users/${ana.id}`, { locale: 'ar' })).body.locale, 'ar')
    t.equal((await read(elsewhere, '/account/apps', 'fr')).direction, 'rtl')
    t.equal((await operator('PATCH', `/users/${ana.id}`, { locale: null })).body.locale, null)
    t.equal((await read(elsewhere, '/account/apps', 'fr')).language, 'fr')
  })

  await t.test('ui_locales of the request holds for each of its pages', async (t) => {
    const app = await createApp(running, { name: 'Letters' })
    await install(running, acme, app, { permissions: currentPermissions })
    const url = authorizeUrl(issuer, app, {
      code_challenge: challengeOf(newVerifier()),
      ui_locales: 'tlh de-CH fr',
    })
    const visitor = createVisitor(issuer)
    const begun = await visitor.fetch(url)
    const interaction = begun.headers.get('location') as string
    const toLogin = await visitor.fetch(new URL(interaction, issuer))
    const login = toLogin.headers.get('location') as string
    t.equal((await read(visitor, login, 'fr')).language, 'de', 'the sign-in')

    const signIn = await visitor.get(login)
    const page = await visitor.submit(signIn, { email: kim.email, password: kim.password })
    t.equal(page.dom.querySelector('html')?.getAttribute('lang'), 'de', 'the consent')
    t.ok(mainForm(page))

    await choose(visitor, page.url.href, 'fr')
    t.equal(
      (await read(visitor, page.url.href, 'ja')).language,
      'fr',
      'unless the user chooses another',
    )
    await operator('PATCH', `/users/${kim.id}`, { locale: null })

    const refused = new URL(url)
    refused.searchParams.set('client_id', 'unknown')
    t.equal((await read(createVisitor(issuer), refused.href)).language, 'de', 'an error page')
  })

  await t.test('the metadata lists the languages', async (t) => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const response = await fetch(`${issuer}/.well-known/${name}`)
      const { ui_locales_supported: listed } = (await response.json()) as Record<string, unknown>
      t.same(listed, ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar'])
    }
  })
})
