// Runs alone: it moves the clock of the servers.
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { ahead } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn, signIn } from '../support/signed-in.ts'
import { type ReceivedMail, startSmtpServer } from '../support/smtp-server.ts'
import { countRows, sql } from '../support/traces.ts'
import { createVisitor, type VisitedPage } from '../support/visitor.ts'

const smtp = await startSmtpServer()
t.teardown(smtp.stop)
const environment = { SMTP_URL: smtp.url, MAIL_FROM: 'latchkey@mail.test' }

const linksIn = ({ mail }: ReceivedMail) =>
  [...`${mail.text}`.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url))
const passwordLink = (one: ReceivedMail) =>
  linksIn(one).find(({ pathname }) => pathname === '/set-password') as URL

const mailsTo = (to: string, event: string) =>
  smtp.received.filter((one) => one.to === to && one.header('x-latchkey-event') === event)

const requestLink = async (issuer: string, email: string) => {
  const visitor = createVisitor(issuer)
  return visitor.submit(await visitor.get('/forgot-password'), { email })
}

/** Waits for the next link to this address. */
const nextLink = async (issuer: string, email: string) => {
  const before = mailsTo(email, 'password.requested').length
  await requestLink(issuer, email)
  await eventually(() => mailsTo(email, 'password.requested').length > before)
  return passwordLink(mailsTo(email, 'password.requested').at(-1) as ReceivedMail)
}

const headingOf = ({ dom }: VisitedPage) => dom.querySelector('h1')?.innerText.trim()

const setPassword = async (issuer: string, link: URL, password: string) => {
  const visitor = createVisitor(issuer)
  return visitor.submit(await visitor.get(link), { new_password: password })
}

const isSignedIn = async (issuer: string, person: { email: string; password: string }) => {
  const visitor = createVisitor(issuer)
  return (await signIn(visitor, person)).status === 200
}

await onEachBackend(
  'a forgotten password is replaced once, and ends the sessions',
  async (t, { running, issuer, world }) => {
    const { kim } = world
    const session = await signedIn(issuer, kim)
    const link = await nextLink(issuer, kim.email)
    t.equal(link.origin, running.issuer)
    const visitor = createVisitor(issuer)
    const form = await visitor.get(link)
    t.equal(headingOf(form), 'Choose a new password')
    t.equal(form.headers.get('referrer-policy'), 'no-referrer')
    const short = await visitor.submit(form, { new_password: 'short' })
    t.equal(short.status, 400, 'an unusable password consumes nothing')
    const done = await visitor.submit(short, { new_password: 'a new horse battery' })
    t.equal(headingOf(done), 'Your password is saved')
    t.notOk(await isSignedIn(issuer, kim), 'the old password is refused')
    t.ok(await isSignedIn(issuer, { ...kim, password: 'a new horse battery' }))
    const account = await session.get('/account/sessions')
    t.equal(account.url.pathname, '/login', 'the session has ended')
    const twice = await visitor.submit(short, { new_password: 'a new horse battery' })
    t.equal(headingOf(twice), 'Your password is saved', 'the same form sent twice')
    const other = await visitor.submit(short, { new_password: 'a third horse battery' })
    t.equal(other.status, 410, 'with another password')
    const again = await setPassword(issuer, link, 'yet another horse').catch(() => null)
    t.equal(again, null, 'there is no form')
    t.equal((await createVisitor(issuer).get(link)).status, 410)
    await eventually(() => mailsTo(kim.email, 'user.password_changed').length === 1)
    t.notMatch(running.log.join(''), link.searchParams.get('token') ?? 'none')
  },
  { environment },
)

await onEachBackend(
  'of many links and requests at once, one sets the password',
  async (t, { stores, issuer, world }) => {
    const { ana } = world
    const links = [await nextLink(issuer, ana.email), await nextLink(issuer, ana.email)]
    const attempts = Array.from({ length: 8 }, (_, at) => ({
      link: links[at % 2] as URL,
      password: `horse number ${at} of eight`,
    }))
    const forms = await Promise.all(
      attempts.map(async ({ link, password }) => {
        const visitor = createVisitor(issuer)
        return { visitor, form: await visitor.get(link), password }
      }),
    )
    const answers = await Promise.all(
      forms.map(({ visitor, form, password }) => visitor.submit(form, { new_password: password })),
    )
    const won = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    t.equal(won.length, 1)
    // 503: too many passwords of one user are hashed at once.
    for (const { status } of answers) t.ok([200, 410, 503].includes(status), String(status))
    const { password } = attempts[won[0] as number] as { password: string }
    t.ok(await isSignedIn(issuer, { email: ana.email, password }))
    const changes = await sql(
      stores,
      `select 1 from audit_events where type = 'user.password_changed' and user_id = $1`,
      [ana.id],
    )
    t.equal(changes.length, 1)
  },
  { environment },
)

await onEachBackend(
  'a used link tells no more than the sign-in page',
  async (t, { stores, running, issuer, world }) => {
    const { zoe } = world
    const link = await nextLink(issuer, zoe.email)
    const visitor = createVisitor(issuer)
    const form = await visitor.get(link)
    const send = (new_password: string) => visitor.submit(form, { new_password })
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('one horse, sent four times')))
    // 503: too many passwords of one user are checked at once.
    for (const { status } of answers) t.ok([200, 503].includes(status), String(status))
    const changed = `select 1 from audit_events where type = 'user.password_changed' and user_id = $1`
    t.equal((await sql(stores, changed, [zoe.id])).length, 1)
    const guesses: number[] = []
    for (let at = 0; at < 11; at++) guesses.push((await send(`guessed horse ${at}`)).status)
    t.same(guesses, [...Array(10).fill(410), 429])
    await running.operator('PATCH', `/users/${zoe.id}`, { password: 'a horse of the operator' })
    t.equal((await send('a horse of the operator')).status, 410, 'a newer password')
  },
  { environment },
)

await onEachBackend(
  'the answer is the same for every address, and a mailbox is not flooded',
  async (t, { stores, running, issuer, world }) => {
    const { kim, zoe } = world
    const known = await requestLink(issuer, kim.email)
    const unknown = await requestLink(issuer, 'nobody@unknown.test')
    const plain = ({ text }: VisitedPage, email: string) =>
      text
        .replaceAll(email, 'ADDRESS')
        .replace(/req_\w+/g, 'ID')
        .replace(/"_csrf" value="[^"]*"/g, '')
    t.equal(known.status, 200)
    t.equal(plain(known, kim.email), plain(unknown, 'nobody@unknown.test'))
    for (let at = 0; at < 5; at++) await requestLink(issuer, zoe.email)
    await eventually(async () => (await countRows(stores, 'mail_events')) === 0)
    await eventually(() => mailsTo(zoe.email, 'password.requested').length === 3)
    t.equal(mailsTo('nobody@unknown.test', 'password.requested').length, 0)
    const disabled = await running.operator('POST', '/users', {
      email: `off${Date.now()}@acme.test`,
      name: 'Off',
      password: 'a horse that rests',
    })
    await running.operator('PATCH', `/users/${disabled.body.id}`, { disabled: true })
    await requestLink(issuer, disabled.body.email)
    const managed = await running.operator('POST', '/users', {
      email: `sso${Date.now()}@acme.test`,
      name: 'Managed',
    })
    await sql(
      stores,
      `insert into user_identities (issuer, subject, user_id, email_verified)
       values ('https://id.test', $1, $1, true)`,
      [managed.body.id],
    )
    await requestLink(issuer, managed.body.email)
    await eventually(async () => (await countRows(stores, 'mail_events')) === 0)
    for (const { body } of [disabled, managed])
      t.equal(
        (await sql(stores, 'select 1 from mails where user_id = $1', [body.id])).length,
        0,
        body.name,
      )
    const audited = await sql<{ user_id: string; actor_kind: string; has_cause: boolean }>(
      stores,
      `select user_id, actor_kind, address is not null and request_id is not null as has_cause, detail
         from audit_events where type = 'user.password_requested' order by user_id`,
    )
    // None for an unknown address, for a user without a mail, and for the requests above three.
    t.same(
      audited,
      [kim.id, zoe.id, zoe.id, zoe.id].sort().map((user_id) => ({
        user_id,
        actor_kind: 'anonymous',
        has_cause: true,
        detail: {},
      })),
    )
    const mistyped = await requestLink(issuer, 'no address')
    t.equal(mistyped.status, 400)
  },
  { environment },
)

await onEachBackend(
  'requests for a password are limited per network',
  async (t, { issuer, world }) => {
    for (let at = 0; at < 50; at++)
      t.equal((await requestLink(issuer, `u${at}@unknown.test`)).status, 200)
    const refused = await requestLink(issuer, world.kim.email)
    t.equal(refused.status, 429)
    t.ok(refused.headers.get('retry-after'))
  },
  { environment },
)

await onEachBackend(
  'a link ends with its time, with another address and with the account',
  async (t, { running, issuer, world }) => {
    const { kim, ana, zoe } = world
    t.teardown(() => {
      ahead.milliseconds = 0
    })
    const old = await nextLink(issuer, kim.email)
    ahead.milliseconds = 29 * 60_000
    t.equal((await createVisitor(issuer).get(old)).status, 200)
    ahead.milliseconds = 31 * 60_000
    t.equal((await createVisitor(issuer).get(old)).status, 410, 'after 30 minutes')
    ahead.milliseconds = 0
    const moved = await nextLink(issuer, ana.email)
    await running.operator('PATCH', `/users/${ana.id}`, { email: `new${ana.email}` })
    t.equal((await createVisitor(issuer).get(moved)).status, 410, 'the address changed')
    const off = await nextLink(issuer, zoe.email)
    await running.operator('PATCH', `/users/${zoe.id}`, { disabled: true })
    t.equal((await createVisitor(issuer).get(off)).status, 410, 'disabled')
    await running.operator('PATCH', `/users/${zoe.id}`, { disabled: false })
    t.equal((await createVisitor(issuer).get(off)).status, 410, 'enabled again')
    const forged = new URL(old)
    const token = old.searchParams.get('token') ?? ''
    for (const changed of ['', 'x', `${token.slice(0, -4)}AAAA`, token.slice(4)]) {
      forged.searchParams.set('token', changed)
      t.equal((await createVisitor(issuer).get(forged)).status, 410)
    }
  },
  { environment },
)

await onEachBackend(
  'an invitation brings a user in once',
  async (t, { running, issuer, world }) => {
    const email = `invited${Date.now()}@acme.test`
    const made = await running.operator('POST', '/users', { email, name: 'Ines', invite: true })
    t.equal(made.status, 201)
    const mail = await smtp.next((one) => one.to === email)
    t.equal(mail.header('x-latchkey-event'), 'user.invited')
    const form = await createVisitor(issuer).get(passwordLink(mail))
    t.equal(headingOf(form), 'Welcome, Ines')
    t.equal(
      (await running.operator('POST', `/users/${made.body.id}/invitation`)).status,
      204,
      'another link',
    )
    await eventually(() => mailsTo(email, 'user.invited').length === 2)
    t.match(mail.mail.subject, /^You are invited to Latchkey$/, 'a member of nothing yet')
    await running.operator('PUT', `/organizations/${world.acme}/members/${made.body.id}`, {
      role: 'member',
    })
    await running.operator('POST', `/users/${made.body.id}/invitation`)
    await eventually(() => mailsTo(email, 'user.invited').length === 3)
    t.match(mailsTo(email, 'user.invited')[2]?.mail.subject, /^You are invited to Acme/)
    const done = await setPassword(issuer, passwordLink(mail), 'a horse for Ines')
    t.equal(headingOf(done), 'Your password is saved')
    t.ok(await isSignedIn(issuer, { email, password: 'a horse for Ines' }))
    await eventually(() => mailsTo(email, 'user.password_set').length === 1)
    t.equal(mailsTo(email, 'user.password_changed').length, 0, 'a first password is not changed')
    const trail = await running.operator('GET', '/audit?type=user.password_set&limit=100')
    const sets = trail.body.items.filter((one: { user_id: string }) => one.user_id === made.body.id)
    t.equal(sets.length, 1)
    const second = passwordLink(mailsTo(email, 'user.invited')[1] as ReceivedMail)
    t.equal((await createVisitor(issuer).get(second)).status, 410)

    const refusals: [string, string][] = [
      [made.body.id, 'has-password'],
      [world.kim.id, 'has-password'],
    ]
    for (const [id, reason] of refusals) {
      const answer = await running.operator('POST', `/users/${id}/invitation`)
      t.equal(answer.status, 409)
      t.match(answer.body.type, reason)
    }
    t.equal((await running.operator('POST', '/users/usr0/invitation')).status, 404)
    const both = { email: `b${email}`, name: 'B', password: 'a horse of B', invite: true }
    t.equal((await running.operator('POST', '/users', both)).status, 400)
  },
  { environment },
)

await onEachBackend(
  'without a mail server no page and no operation offers a mail',
  async (t, { running, issuer, world }) => {
    const visitor = createVisitor(issuer)
    for (const path of ['/forgot-password', '/set-password', '/unsubscribe'])
      t.equal((await visitor.get(path)).status, 404, path)
    t.notMatch((await visitor.get('/login')).text, 'forgot-password')
    const kim = await signedIn(issuer, world.kim)
    t.equal((await kim.get('/account/notifications')).status, 404)
    t.notMatch((await kim.get('/account/apps')).text, '/account/notifications')
    const answer = await running.operator('POST', '/users', {
      email: `x${Date.now()}@acme.test`,
      name: 'X',
      invite: true,
    })
    t.equal(answer.status, 409)
    t.match(answer.body.type, 'mail-not-configured')
  },
)
