import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { createApp } from '../support/world.ts'
import { look } from './looks.ts'
import {
  add,
  audited,
  byPassword,
  headingOf,
  later,
  onLocalhost,
  problem,
  signIn,
  usePasskey,
} from './passkeys.ts'
import { press } from './press.ts'

const required = { environment: { ADMIN_PASSKEY_REQUIRED: 'true' } }
await onLocalhost(
  'admins need a passkey',
  async (scene) => {
    const { running, issuer, world, test } = scene
    const { ana, kim } = world

    const freshInstall = async () => {
      const app = await createApp(running, { name: 'Fresh' })
      return authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
    }

    test('a password alone leads to adding a passkey, and then on', async (t, {
      context,
      page,
    }) => {
      await page.goto(await freshInstall())
      await signIn(page, kim)
      await page.waitForURL('**/account/confirm?**')
      t.equal(await headingOf(page), 'Add a passkey to continue')
      await look(t, page, 'confirm-add')
      await page.click('a:has-text("Add a passkey")')
      await add(page, 'Kim’s phone')
      await page.click('a:has-text("Continue")')
      await page.waitForSelector('h1:has-text("Install Fresh in Acme?")')
      await press(page, 'button[value="approve"]')
      await page.waitForSelector('h1:has-text("Allow Fresh to use Acme")')

      await context.clearCookies()
      await page.goto(await freshInstall())
      await signIn(page, kim)
      await page.waitForURL('**/account/confirm?**')
      t.equal(await headingOf(page), 'Use a passkey to continue')
      await look(t, page, 'confirm-use')
      await usePasskey(page)
      await page.waitForSelector('h1:has-text("Install Fresh in Acme?")')

      await later(11, async () => {
        const policy = `/organizations/${world.acme}/policy`
        await page.goto(policy)
        await page.goto(
          `${issuer}/login?${new URLSearchParams({ return_to: policy, again: 'confirm' })}`,
        )
        t.equal(await page.locator('input[name="password"]').count(), 0, 'it is not enough')
        await look(t, page, 'sign-in-again-passkey')
        await usePasskey(page)
        await page.waitForURL(`**${policy}`)
      })
    })

    test('with a password alone an owner cannot replace the secret of an app', async (t, {
      context,
      page,
    }) => {
      const app = await createApp(running, { name: 'Owned', owners: [kim.id] })
      const path = `/developer/apps/${app.client_id}`
      const { body } = await running.operator('GET', `/apps/${app.client_id}/secrets`)
      await page.goto(`${issuer}${path}/replace`)
      await signIn(page, kim)
      await page.waitForURL('**/account/confirm?**')
      const csrf = await page.locator('input[name="_csrf"]').first().inputValue()
      const form = {
        _csrf: csrf,
        in_use: 'leaked',
        newest: body.items[0].id as string,
        handover: 'x'.repeat(32),
      }
      const answer = await context.request.post(`${path}/replace`, { form, maxRedirects: 0 })
      t.equal(answer.status(), 303)
      t.match(answer.headers().location, '/account/confirm')
      const after = await running.operator('GET', `/apps/${app.client_id}/secrets`)
      t.same(after.body.items, body.items)
    })

    test('with a stolen password an attacker can neither install nor add nor remove a passkey', async (t, {
      context,
      page,
    }) => {
      await page.goto(await freshInstall())
      await signIn(page, kim)
      await page.waitForURL('**/account/confirm?**')
      const action = new URL(page.url()).searchParams.get('return_to') ?? ''
      const csrf = await page.locator('input[name="_csrf"]').first().inputValue()
      const post = (path: string, form: Record<string, string>) =>
        context.request.post(path, { form: { _csrf: csrf, ...form }, maxRedirects: 0 })
      const approved = await post(action, { decision: 'approve', workspace_ids: '*' })
      t.equal(approved.status(), 303)
      t.match(approved.headers().location, '/account/confirm')
      const options = await post('/account/passkeys/options', {})
      t.equal(options.status(), 403)
      t.match((await options.json()).location, '/account/confirm')
      const forced = await post('/account/passkeys', {
        decision: 'add',
        name: 'x',
        credential: '{}',
      })
      t.match(forced.headers().location, '/account/confirm')
      const { body } = await running.operator('GET', '/audit?type=passkey.added&limit=100')
      const id = body.items[0].detail.passkey_id
      await post('/account/passkeys', { decision: 'remove', passkey_id: id })
      t.same((await audited(running, 'passkey.removed', kim.id, 0)).length, 0)

      await page.goto('/account/passkeys')
      t.match(await page.innerText('main'), 'Use one of your passkeys first')
      await page.goto(action)
      await page.waitForURL('**/account/confirm?**')
      await usePasskey(page)
      t.match(await problem(page), 'No passkey was used', 'it is on Kim’s phone')
    })

    test('with a stolen password an attacker cannot open the organization pages', async (t, {
      context,
      page,
    }) => {
      await byPassword(page, kim, '/')
      for (const part of ['apps', 'keys', 'activity']) {
        const answer = await context.request.get(`/organizations/${world.acme}/${part}`, {
          maxRedirects: 0,
        })
        t.equal(answer.status(), 303, part)
        t.match(answer.headers().location, `%2F${part}`)
      }
      const foreign = await context.request.get(`/organizations/${world.other}/apps`)
      t.equal(foreign.status(), 404, 'a foreign organization’s page reveals no more than before')
      await page.goto('/logout')
      const csrf = await page.locator('input[name="_csrf"]').first().inputValue()
      const posted = await context.request.post(`/organizations/${world.acme}/keys`, {
        form: { _csrf: csrf, name: 'Mine', interface: 'current' },
        maxRedirects: 0,
      })
      t.match(posted.headers().location, '/account/confirm')
      const { body } = await running.operator('GET', `/organizations/${world.acme}/key-sets`)
      t.same(body.items, [])
    })

    test('an admin who lost the passkey adds a new one after the operator removed it', async (t, {
      page,
    }) => {
      await running.operator('DELETE', `/users/${kim.id}/passkeys`)
      t.equal((await audited(running, 'passkey.removed', kim.id, 1)).length, 1)
      await byPassword(page, kim, `/organizations/${world.acme}/apps`)
      t.equal(await headingOf(page), 'Add a passkey to continue')
      await page.click('a:has-text("Add a passkey")')
      await add(page, 'The new phone')
      await page.click('a:has-text("Continue")')
      await page.waitForURL(`**/organizations/${world.acme}/apps`)
    })

    test('the user can still deny', async (t, { page }) => {
      await page.goto(await freshInstall())
      await signIn(page, kim)
      await page.waitForURL('**/account/confirm?**')
      const left = page.waitForRequest((one) => one.url().startsWith('https://app.example/cb'))
      await press(page, 'button[value="deny"]')
      t.equal(new URL((await left).url()).searchParams.get('error'), 'access_denied')
    })

    test('a user who is no admin is not asked', async (t, { page }) => {
      await page.goto(await freshInstall())
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("Ask an admin to install Fresh in Acme")')
      await page.goto('/account/confirm?return_to=/account/confirm')
      t.equal(
        await page.locator('a:has-text("Add a passkey")').count(),
        1,
        'the user may continue anyway',
      )
    })
  },
  required,
)
