import { add, audited, byPassword, later, onLocalhost, problem } from './passkeys.ts'
import { press } from './press.ts'

await onLocalhost('a user’s own passkeys', async ({ running, world, test }) => {
  const { ana, kim, zoe } = world

  test('after ten minutes the user signs in again first', async (t, { context, page }) => {
    const path = '/account/passkeys'
    await byPassword(page, zoe)
    await page.goto(`/login?${new URLSearchParams({ return_to: path, again: 'confirm' })}`)
    t.equal(await page.locator('form[data-passkey]').count(), 0, 'there is none to use')
    await page.goto(path)
    await add(page, 'Kept')
    const csrf = await page.locator('input[name="_csrf"]').first().inputValue()
    const id = await page.locator('input[name="passkey_id"]').last().inputValue()
    await later(11, async () => {
      await page.fill('form[data-passkey="create"] input[name="name"]', 'Late')
      await press(page, 'form[data-passkey="create"] button')
      await page.waitForURL('**/login?**')
      t.match(page.url(), 'again=confirm')
      t.match(await page.innerText('.notice'), 'once more')
      t.equal(await page.inputValue('input[name="email"]'), zoe.email)
      const form = { _csrf: csrf, decision: 'remove', passkey_id: id }
      const refused = await context.request.post(path, { form, maxRedirects: 0 })
      t.match(refused.headers().location, 'again=confirm')
      await page.goto('/account/passkeys')
      t.equal(await page.locator('form[data-passkey]').count(), 0)
      await page.click('a:has-text("Sign in again")')
      await page.fill('#password', zoe.password)
      await press(page, 'main form[action="/login"] button')
      await page.waitForURL('**/account/passkeys')
      t.equal(await page.locator('form[data-passkey]').count(), 1)
      await page.fill('form[data-passkey="create"] input[name="name"]', 'Once more')
      await press(page, 'form[data-passkey="create"] button')
      t.match(await problem(page), 'already has one for you', 'one for each device')
    })
  })

  test('a password change removes the passkeys that the user ticks', async (t, { page }) => {
    await byPassword(page, kim)
    await add(page, 'Unknown')
    const id = await page.locator('input[name="passkey_id"]').last().inputValue()
    await page.goto('/account/password')
    const box = page.locator('input[name="remove_passkeys"]')
    t.equal(await box.isChecked(), false)
    const change = async (current: string) => {
      await page.fill('input[name="current_password"]', current)
      await page.fill('input[name="new_password"]', 'seven brown kettles sing')
      await press(page, 'main form button.primary')
    }
    await box.check()
    await change('not the password')
    await page.waitForSelector('[role="alert"]')
    t.equal(await box.isChecked(), true, 'the choice survives a refusal')
    t.equal((await audited(running, 'passkey.removed', kim.id, 0)).length, 0)
    await change(kim.password)
    await page.waitForURL('**/account/password?done=changed')
    t.equal(await box.count(), 0)
    const [removed] = await audited(running, 'passkey.removed', kim.id, 1)
    t.equal(removed?.detail.passkey_id, id)
  })

  test('a passkey needs a name, and other users’ passkeys stay', async (t, { context, page }) => {
    await byPassword(page, ana)
    const text = await page.content()
    const csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const send = (form: Record<string, string>) =>
      context.request.post('/account/passkeys', { form: { _csrf: csrf, ...form } })
    t.equal((await send({ decision: 'add', name: ' ', credential: '{}' })).status(), 400)
    t.equal((await send({ decision: 'add', name: 'x', credential: '{}' })).status(), 400)
    t.equal((await send({ decision: 'rename', passkey_id: 'psk1', name: 'x' })).status(), 400)
    const theirs = await running.operator('GET', '/audit?type=passkey.added&limit=100')
    const foreign = theirs.body.items.find((one: { user_id: string }) => one.user_id === zoe.id)
    await send({ decision: 'remove', passkey_id: foreign.detail.passkey_id })
    t.equal((await audited(running, 'passkey.removed', zoe.id, 0)).length, 0, 'not theirs')
  })

  test(
    'without JavaScript the other functions work',
    async (t, { page }) => {
      await byPassword(page, zoe)
      t.match(await page.innerText('main'), 'needs JavaScript')
      t.equal(await page.locator('form[data-passkey]').isVisible(), false)
      await page.click('.rows li:first-child summary:has-text("Rename")')
      await page.fill('.rows li:first-child input[name="name"]', 'Renamed')
      await press(page, '.rows li:first-child button[value="rename"]')
      await page.waitForSelector('.strong:has-text("Renamed")')
      await page.goto('/login')
      t.equal(await page.locator('form[data-passkey]').isVisible(), false)
    },
    { javaScriptEnabled: false },
  )

  test('only the server’s own scripts are allowed, and only on pages that need them', async (t, {
    context,
  }) => {
    const policy = async (path: string) =>
      (await context.request.get(path)).headers()['content-security-policy'] ?? ''
    t.match(await policy('/login'), "script-src 'self';")
    for (const path of ['/', '/signed-out', '/nowhere']) {
      t.notMatch(await policy(path), 'script-src', path)
    }
  })
})
