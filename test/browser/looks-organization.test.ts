import type { Page } from 'playwright-core'
import { authorizeUrl, challengeOf, exchangeCode, newVerifier } from '../support/flows.ts'
import { createApp, install } from '../support/world.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { answer, atApp, inChromium, signIn } from './scene.ts'

await inChromium(
  'the pages of an organization',
  async ({ running, world, app, current, test, register }) => {
    const { issuer, operator } = running
    const { acme, ana, kim, sales, confidential } = world
    const apps = `${issuer}/organizations/${acme}/apps`
    const keys = `${issuer}/organizations/${acme}/keys`

    const ask = async (page: Page, clientName: string, reason: string) => {
      const client = await register({
        name: clientName,
        description: 'Turns records into letters and sends them.',
        permissions: ['records:create', 'records:delete', 'workspace_members:read'],
      })
      await page.goto(authorizeUrl(issuer, client, { code_challenge: challengeOf(newVerifier()) }))
      await signIn(page, ana)
      await page.fill('textarea[name="reason"]', reason)
      await answer(page, 'request')
      await page.waitForSelector('h1:has-text("Your request is with the admins")')
      return client
    }

    test('apps, requests', async (t, { page, context }) => {
      const verifier = newVerifier()
      await page.goto(authorizeUrl(issuer, current, { code_challenge: challengeOf(verifier) }))
      await signIn(page, ana)
      await answer(page, 'approve')
      await atApp(page, app)
      await exchangeCode(issuer, current, { code: app.last().get('code') ?? '', verifier })
      await context.clearCookies()
      await ask(page, 'Letter Press', 'I have to send 400 letters\nbefore Friday.')
      await page.goto(`${issuer}/account/apps`)
      await look(t, page, 'account-apps-own-request')
      await press(page, 'button[value="withdraw"]')
      await page.waitForSelector('[role="status"]:has-text("is withdrawn")')
      await look(t, page, 'account-apps-withdrawn')
      await context.clearCookies()
      await ask(page, 'Letter Press', 'I have to send 400 letters\nbefore Friday.')
      await context.clearCookies()
      const narrow = await createApp(running, { name: 'Narrow' })
      await install(running, acme, narrow, { permissions: [], workspace_ids: [sales] })
      await operator('PATCH', `/organizations/${acme}/installs/${confidential.client_id}`, {
        suspended: true,
      })

      await page.goto(apps)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Apps in Acme")')
      await look(t, page, 'organization-apps')
      const unfold = () =>
        page.evaluate(`for (const one of document.querySelectorAll('.opens')) one.open = true`)
      await unfold()
      await page.check('.request input[name="workspace_ids"][value=""]')
      for (const one of await page.locator('.request .options input').all()) await one.uncheck()
      await press(page, '.request button[value="approve"]')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'organization-apps-fault')
      await press(page, '.request button[value="refuse"]')
      await page.waitForSelector('[role="status"]')
      await look(t, page, 'organization-apps-refused')
      await unfold()
      await page.locator('button[value="keep"]').first().click()
      await page.waitForSelector('[role="status"]')
      await page.goto(`${apps}/${current.client_id}`)
      for (const fold of await page.locator('summary').all()) await fold.click()
      await look(t, page, 'organization-app')
      await page.click('a:has-text("Change permissions and workspaces")')
      await look(t, page, 'organization-app-change')
      await page.goto(`${apps}/${confidential.client_id}`)
      await look(t, page, 'organization-app-suspended')
      await page.goto(`${apps}/${current.client_id}`)
      await page.click('a:has-text("Suspend")')
      await look(t, page, 'organization-app-suspend')
      await page.click('a:has-text("Cancel")')
      await page.click('a:has-text("Uninstall")')
      await look(t, page, 'organization-app-uninstall')
      await page.click('a:has-text("Cancel")')
      await page.click('table a:has-text("Choose when it ends")')
      await look(t, page, 'organization-person-end')
      await page.click('a:has-text("Cancel")')
      await page.click('a:has-text("End access")')
      await look(t, page, 'organization-app-end')
      await press(page, 'button[value="end"]')
      await page.waitForSelector('[role="status"]:has-text("can no longer act for")')
      await look(t, page, 'organization-app-unused')
      await page.goto(apps)
      await page.click('a:has-text("Suspend every app now")')
      await look(t, page, 'organization-suspend-all')
      await press(page, 'button[value="suspend_all"]')
      await page.waitForSelector('[role="status"]')
      await look(t, page, 'organization-apps-suspended')
      await page.click('a:has-text("Resume them")')
      await look(t, page, 'organization-resume-all')
      await press(page, 'button[value="resume_all"]')
      await page.waitForSelector('[role="status"]')
      await page.click('a:has-text("Members")')
      await page.waitForSelector('h1:has-text("Members of Acme")')
      await look(t, page, 'organization-members')
      await page.click('th a:has-text("ana")')
      await page.waitForSelector('a:has-text("All members")')
      await look(t, page, 'organization-member')
    })

    test('when access ends', async (t, { page }) => {
      await page.goto(`${apps}/${current.client_id}/ends`)
      await signIn(page, kim)
      await page.fill('#idle_days', 'soon')
      await press(page, 'button[type="submit"]:has-text("Save")')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'organization-app-end')
    })

    test('changed by another admin', async (t, { page }) => {
      const installs = `/organizations/${acme}/installs`
      await page.goto(`${apps}/${current.client_id}/change`)
      await signIn(page, kim)
      await page.waitForSelector('input[name="version"]', { state: 'attached' })
      const narrow = { permissions: ['records:create'], workspace_ids: [sales] }
      await operator('PUT', `${installs}/${current.client_id}`, narrow)
      await page.uncheck('input[value="records:create"]')
      await press(page, 'button[value="change"]')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'organization-app-changed-meanwhile')
      await press(page, 'button[value="change"]')
      await page.waitForSelector('[role="status"]')
      const { body } = await operator('POST', `/organizations/${acme}/key-sets`, {
        name: 'Nightly export of everything there is',
        interface: 'current',
        permissions: [],
      })
      await page.goto(`${keys}/${body.id}`)
      await operator('PATCH', `/organizations/${acme}/key-sets/${body.id}`, {
        description: 'Copies yesterday’s records into the warehouse',
      })
      await page.fill('#name', 'Export')
      await press(page, 'button[value="change"]')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'key-set-changed-meanwhile')
      await operator('DELETE', `/organizations/${acme}/key-sets/${body.id}`)
    })

    test('key sets', async (t, { page }) => {
      await page.goto(keys)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Keys for programs of Acme")')
      await look(t, page, 'organization-keys-none')
      await page.click('a:has-text("New key")')
      await look(t, page, 'key-set-form')
      await page.fill('#name', ' ')
      await page.evaluate(`document.querySelector('#name').required = false`)
      await press(page, 'button[value="create"]')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'key-set-form-fault')
      await page.fill('#name', 'Nightly export')
      await page.fill('#description', 'Copies yesterday’s records into the warehouse')
      await page.check('input[value="records:create"]')
      await press(page, 'button[value="create"]')
      await page.waitForSelector('#secret')
      await look(t, page, 'key-set-secret')
      await page.goto(keys)
      await page.click('a:has-text("New secret")')
      await page.waitForSelector('input[name="retire_others_after_seconds"]:checked')
      await look(t, page, 'key-set-rotate')
      await press(page, 'button[value="rotate"]')
      await page.waitForSelector('#secret')
      await look(t, page, 'key-set-secret-rotated')
      await page.reload()
      await look(t, page, 'key-set-secret-gone')
      await page.goto(`${keys}/new?interface=legacy`)
      await page.fill('#name', 'Old importer')
      await page.check('input[value="readData"]')
      await press(page, 'button[value="create"]')
      await page.waitForSelector('#secret')
      await page.goto(keys)
      await look(t, page, 'organization-keys')
      await page.locator('a:has-text("New secret")').first().click()
      await look(t, page, 'key-set-rotate-full')
      await page.click('a:has-text("Cancel")')
      await page.locator('a:text-is("End")').first().click()
      await look(t, page, 'key-set-retire')
      await page.click('a:has-text("Cancel")')
      await page.locator('a:has-text("Delete")').first().click()
      await look(t, page, 'key-set-delete')
      await page.click('a:has-text("Cancel")')
      await page.locator('a:has-text("Programs without a secret")').first().click()
      await look(t, page, 'key-set-workloads-none')
      await page.fill('#issuer', 'https://token.actions.githubusercontent.com')
      await press(page, 'button[value="trust"]')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'key-set-workloads-fault')
      await page.fill('#subject', 'repo:acme/nightly:ref:refs/heads/main')
      await page.fill('#claims', 'repository=acme/nightly')
      await press(page, 'button[value="trust"]')
      await page.waitForSelector('[role="status"]')
      await look(t, page, 'key-set-workloads')
      await page.click('a:has-text("Stop trusting")')
      await look(t, page, 'key-set-untrust')
      await press(page, 'button[value="untrust"]')
      await page.waitForSelector('[role="status"]:has-text("no longer trusted")')
    })
  },
  { onlyOn: 'embedded' },
)
