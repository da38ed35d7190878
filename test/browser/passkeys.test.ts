import {
  add,
  audited,
  byPassword,
  headingOf,
  onLocalhost,
  problem,
  resend,
  sentCredential,
  signOut,
  usePasskey,
  whoIsIn,
} from './passkeys.ts'
import { press } from './press.ts'

await onLocalhost('passkeys', async ({ browser, running, issuer, world, test }) => {
  const { ana, kim, zoe } = world

  test('a user adds a passkey, signs in with it, renames and removes it', async (t, { page }) => {
    await byPassword(page, ana)
    t.equal(await headingOf(page), 'Passkeys')
    t.match(await page.innerText('main'), 'You have no passkey yet')
    await add(page, 'Laptop')
    t.match(await page.innerText('.rows'), /Laptop\s+Added .* · Last used\s+never/)
    t.match(await audited(running, 'passkey.added', ana.id, 1), [{ actor: { id: ana.id } }])

    await signOut(page)
    await page.goto('/login?return_to=/account/passkeys')
    await usePasskey(page)
    await page.waitForURL('**/account/passkeys')
    t.equal(await whoIsIn(page), ana.email)
    t.notMatch(await page.innerText('.rows'), 'never')
    const signedIn = await audited(running, 'session.signed_in', ana.id, 2)
    t.match(signedIn[0].detail, { method: 'passkey' })

    await page.click('summary:has-text("Rename")')
    await page.fill('.rows input[name="name"]', 'Ana’s laptop')
    await press(page, 'button[value="rename"]')
    await page.waitForSelector('.strong:has-text("Ana’s laptop")')
    await page.click('summary:has-text("Remove")')
    await press(page, 'button[value="remove"]')
    await page.waitForURL('**/login?**')
    t.equal((await audited(running, 'passkey.removed', ana.id, 1)).length, 1)
    t.match(await audited(running, 'session.ended', ana.id, 1), [
      { detail: { reason: 'passkey_removed' } },
    ])

    await page.goto('/login')
    await usePasskey(page)
    await page.waitForSelector('.notice.bad')
    t.match(
      await page.innerText('.notice.bad'),
      'did not work',
      'the device still has it, the server does not',
    )
  })

  test('the e-mail field offers the passkey in a browser that has used one', async (t, {
    page,
  }) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto('/login')
    t.equal(await page.getAttribute('#email', 'autocomplete'), 'username webauthn')
    await page.hover('#email')
    await page.fill('#email', kim.email)
    t.notOk(requested.includes('/login/passkey/options'), 'no sign-in begins for others')
    await byPassword(page, kim)
    await add(page, 'Suggested')
    await signOut(page)
    await page.goto('/login')
    // The virtual authenticator answers as if the user had chosen the suggestion.
    await page.hover('#email')
    await page.waitForURL(`${issuer}/`)
    t.equal(await whoIsIn(page), kim.email)
  })

  test('an answer is accepted once, in the browser that asked', async (t, { context, page }) => {
    await byPassword(page, ana)
    await add(page, 'Once')
    await signOut(page)
    await page.goto('/login')
    const sent = sentCredential(page)
    await usePasskey(page)
    const credential = await sent
    await page.waitForURL(`${issuer}/`)
    t.equal((await resend(context, credential)).status(), 401, 'a replay')

    await signOut(page)
    await page.goto('/login')
    // The answer never arrives, and another browser sends it.
    await page.route('**/login/passkey', (route) => route.abort())
    const stolen = sentCredential(page)
    await usePasskey(page)
    const other = await browser.newContext({ baseURL: issuer })
    t.equal((await resend(other, await stolen)).status(), 401, 'another browser')
    await other.close()
    for (const rubbish of ['', '{}', 'null', '[]', '"x"', credential.slice(9), 'x'.repeat(20000)]) {
      t.equal((await resend(context, rubbish)).status(), 401, rubbish.slice(0, 20))
    }
  })

  test('a counter that goes back is refused as a copy', async (t, { page, authenticator }) => {
    await byPassword(page, kim)
    await add(page, 'Copied')
    for (let uses = 0; uses < 3; uses++) {
      await signOut(page)
      await page.goto('/login')
      await usePasskey(page)
      await page.waitForURL(`${issuer}/`)
    }
    await signOut(page)
    await authenticator.turnBackCounters()
    await page.goto('/login')
    await usePasskey(page)
    await page.waitForSelector('.notice.bad')
    const [failed] = await audited(running, 'session.sign_in_failed', kim.id, 1)
    t.same(failed.detail, { method: 'passkey', reason: 'counter' })
  })

  test('without user verification no passkey is created', async (t, { page, authenticator }) => {
    await byPassword(page, ana)
    await authenticator.verifies(false)
    await page.fill('form[data-passkey="create"] input[name="name"]', 'Nobody')
    await press(page, 'form[data-passkey="create"] button')
    t.ok(await problem(page))
    await authenticator.verifies(true)
    await add(page, 'Somebody')
    await signOut(page)
    await authenticator.verifies(false)
    await page.goto('/login')
    await usePasskey(page)
    t.match(await problem(page), 'No passkey was used')
    await authenticator.verifies(true)
    await usePasskey(page)
    await page.waitForURL(`${issuer}/`)
  })

  test('a disabled user cannot sign in', async (t, { page }) => {
    await byPassword(page, zoe)
    await add(page, 'Zoe')
    await running.operator('PATCH', `/users/${zoe.id}`, { disabled: true })
    await page.goto('/login')
    await usePasskey(page)
    await page.waitForSelector('.notice.bad')
    await page.goto('/account/passkeys')
    t.match(page.url(), '/login')
    await running.operator('PATCH', `/users/${zoe.id}`, { disabled: false })
  })
})
