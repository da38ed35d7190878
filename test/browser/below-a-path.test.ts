/** Sign-in, consent and pages with scripts, of an issuer with a path. */
import { authorizeUrl, challengeOf, exchangeCode, newVerifier } from '../support/flows.ts'
import { isInstalled, unlessMissing } from '../support/installed.ts'
import { answer, atApp, inChromium, signIn } from './scene.ts'

const { skip } = unlessMissing(isInstalled('nginx', '-v'), 'nginx')

for (const strips of [false, true, ...(skip ? [] : ['nginx' as const])])
  await inChromium(
    `below /auth, which ${strips === 'nginx' ? 'nginx' : 'the proxy'} ${strips ? 'removes' : 'keeps'}`,
    async ({ running: { issuer }, world: { ana }, app, current, test }) => {
      test('a user signs in, consents and changes the language', async (t, { page, context }) => {
        const verifier = newVerifier()
        const requested = { code_challenge: challengeOf(verifier), prompt: 'consent' }
        await page.goto(authorizeUrl(issuer, current, requested))
        await signIn(page, ana)
        await page.waitForURL(`${issuer}/interaction/*`)
        await page.selectOption('select[name="locale"]', 'de')
        await page.click('form.language button')
        await page.waitForSelector('html[lang="de"]')
        await answer(page, 'approve')
        await atApp(page, app)
        const code = app.last().get('code') ?? ''
        const { body } = await exchangeCode(issuer, current, { code, verifier })
        t.equal(body.token_type, 'Bearer')
        await page.goto(`${issuer}/account/sessions`)
        t.ok(await page.$('time'), 'a page with times')
        const cookies = await context.cookies()
        t.ok(cookies.length > 2)
        for (const { name, path } of cookies) t.equal(path, '/auth', name)
      })
    },
    { path: '/auth', strips },
  )
