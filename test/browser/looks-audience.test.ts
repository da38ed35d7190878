import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium('for whom an install is', async ({ running, world, current, test }) => {
  const { issuer, operator } = running
  const { acme, ana, kim, sales } = world
  const install = `/organizations/${acme}/installs/${current.client_id}`
  const pages = `${issuer}/organizations/${acme}/apps/${current.client_id}`
  const begin = authorizeUrl(issuer, current, { code_challenge: challengeOf(newVerifier()) })
  const languages = ['en', 'ja', 'ar']

  test('the admin’s pages', async (t, { page, context }) => {
    await operator('PATCH', install, { audience: { workspaces: [sales], users: [kim.id] } })
    for (const language of languages) {
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      await context.clearCookies()
      await page.goto(`${pages}/audience`)
      await signIn(page, kim)
      await page.waitForSelector('main form')
      for (const one of [
        '',
        '/audience',
        '/audience/names',
        '/members',
        `/people/${ana.id}/deny`,
      ]) {
        const answer = await page.goto(`${pages}${one}`)
        t.equal(answer?.status(), 200, one)
        await look(t, page, `audience-${one.split('/').at(-1)}-${language}`)
      }
    }
  })

  test('not for you', async (t, { page, context }) => {
    await operator('PATCH', install, { audience: { users: [kim.id] } })
    for (const language of languages) {
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      await context.clearCookies()
      await page.goto(begin)
      await signIn(page, ana)
      await page.waitForSelector('h1')
      await look(t, page, `not-for-you-${language}`)
    }
  })
})
