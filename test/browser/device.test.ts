/**
 * The device flow in a real browser: the user code is typed or in a link, compared and answered.
 */
import { beginDevice, createDeviceApp, poll } from '../support/device.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium('devices', async ({ running, world, test }) => {
  const { issuer } = running
  const app = await createDeviceApp(running, world)

  test('a user types a code and approves', async (t, { page }) => {
    const { body } = await beginDevice(issuer, app)
    await page.goto(body.verification_uri)
    await signIn(page, world.ana)
    await page.waitForSelector('h1:has-text("Connect a device")')
    await look(t, page, 'device')
    await page.fill('#user_code', 'bbbb bbbb')
    await page.click('main form button.primary')
    await page.waitForSelector('[role="alert"]')
    await look(t, page, 'device-unknown')
    await page.fill('#user_code', body.user_code.toLowerCase().replace('-', ' '))
    await page.click('main form button.primary')
    await page.waitForSelector(`text=${body.user_code}`)
    await look(t, page, 'device-consent')
    await page.click('button[value="approve"]')
    await page.waitForSelector('h1:has-text("The device is connected")')
    await look(t, page, 'device-done')
    t.equal((await poll(issuer, app, body.device_code)).status, 200)
  })

  test('a code in a link is only filled in, and a denial reaches the device', async (t, {
    page,
  }) => {
    const { body } = await beginDevice(issuer, app)
    await page.goto(body.verification_uri_complete)
    await signIn(page, world.ana)
    await page.waitForSelector('h1:has-text("Connect a device")')
    t.equal(await page.inputValue('#user_code'), body.user_code)
    await look(t, page, 'device-linked')
    t.equal((await poll(issuer, app, body.device_code)).body.error, 'authorization_pending')
    await page.click('main form button.primary')
    await page.click('button[value="deny"]')
    await page.waitForSelector('h1:has-text("Access denied")')
    t.equal((await poll(issuer, app, body.device_code)).body.error, 'access_denied')
  })

  test('a user who lacks the permission sees why, and the code stays valid', async (t, {
    page,
  }) => {
    const { body } = await beginDevice(issuer, app, { workspace_ids: world.finance })
    await page.goto(body.verification_uri_complete)
    await signIn(page, world.kim)
    await page.click('main form button.primary')
    await page.waitForSelector('h1:has-text("You cannot give this app what it asks for")')
    await look(t, page, 'device-out-of-reach')
    await page.click('main button:has-text("Not you?")')
    await page.waitForSelector('input[name="password"]')
    t.equal((await poll(issuer, app, body.device_code)).body.error, 'authorization_pending')
  })
})
