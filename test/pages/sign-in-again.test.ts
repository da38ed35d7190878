/** Every page that asks a signed-in person to sign in again says whose account it is for, and asks only for what is enough. */
import { parse } from 'node-html-parser'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp, install, password } from '../support/world.ts'
import { newPerson } from './operator/operator-visit.ts'
import { wordsOf } from './organization-visit.ts'

const waysOn = ({ dom }: VisitedPage) => ({
  password: dom.querySelector('input[name="password"]') !== null,
  passkey: dom.querySelector('form[data-passkey="get"]') !== null,
})
const [withPassword, withPasskey] = [
  { password: true, passkey: false },
  { password: false, passkey: true },
]
const both = { password: true, passkey: true }

await onEachBackend(
  'a sign-in again',
  async (t, { running, issuer, world, stores }) => {
    const { operator } = running
    const { acme } = world
    const app = await createApp(running, {})
    await install(running, acme, app)
    const personWith = async (has: { password: boolean; passkey: boolean }) => {
      const person = await newPerson(running)
      await operator('PUT', `/organizations/${acme}/members/${person.id}`, { role: 'member' })
      const visitor = await signedIn(issuer, person)
      const id = `psk${person.id}`
      if (has.passkey)
        await sql(
          stores,
          `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports)
         values ('${id}', '${person.id}', 'Key', '${id}', '', 0, '{}')`,
        )
      if (!has.password)
        await sql(stores, `update users set password_hash = null where id = '${person.id}'`)
      return { person, visitor }
    }
    const request = (more: Record<string, string>) =>
      authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()), ...more })

    const cases: [name: string, at: () => string, has: typeof both, offered: typeof both][] = [
      [
        'ours, with a password',
        () => '/login?return_to=/account/apps&again=confirm',
        withPassword,
        withPassword,
      ],
      [
        'ours, with a passkey alone',
        () => '/login?return_to=/account/apps&again=confirm',
        withPasskey,
        withPasskey,
      ],
      ['ours, with both', () => '/login?return_to=/account/apps&again=confirm', both, both],
      ['prompt=login', () => request({ prompt: 'login' }), withPassword, withPassword],
      [
        'prompt=login, with a passkey alone',
        () => request({ prompt: 'login' }),
        withPasskey,
        withPasskey,
      ],
      ['max_age', () => request({ max_age: '0' }), both, both],
      ['a class that the person has', () => request({ acr_values: 'phr' }), both, withPasskey],
      [
        'a class that the person has not',
        () => request({ acr_values: 'phr' }),
        withPassword,
        withPassword,
      ],
    ]
    for (const [name, at, has, offered] of cases)
      await t.test(name, async (t) => {
        const { person, visitor } = await personWith(has)
        const page = await visitor.get(at())
        t.equal(page.url.pathname, '/login')
        t.match(wordsOf(page), person.email, 'whose account')
        t.match(wordsOf(page), 'Not you?')
        t.match(wordsOf(page), 'Please sign in once more')
        t.same(waysOn(page), offered)
        t.equal(page.dom.querySelector('input#email'), null, 'the address is known')
        const passkeyForm = page.dom.querySelector('form[data-passkey="get"]')
        if (offered.passkey) {
          t.ok(passkeyForm?.querySelector('input[name="confirm"]'), 'a passkey of this account')
          const form = { ...page, dom: parse(`<main>${passkeyForm}</main>`) }
          const failed = await visitor.submit(form, { credential: '{}' })
          t.match(wordsOf(failed), 'The passkey did not work')
          t.same(waysOn(failed), offered)
        }
        if (!offered.password) return
        const wrong = await visitor.submit(page, { password: 'not this' })
        t.equal(wrong.status, 401)
        t.match(wordsOf(wrong), person.email)
        const done = await visitor.submit(wrong, { password })
        t.not(done.url.pathname, '/login')
      })

    await t.test('another account, and a stranger, type their address', async (t) => {
      const { visitor } = await personWith(both)
      const other = await visitor.get('/login?return_to=/account/apps&again=other')
      t.ok(other.dom.querySelector('input#email'))
      t.notMatch(wordsOf(other), 'Not you?')
      const { visitor: out } = await personWith(both)
      out.cookies.delete('latchkey_session')
      const page = await out.get('/login?return_to=/account/apps&again=confirm')
      t.ok(page.dom.querySelector('input#email'))
      t.same(waysOn(page), both)
    })
  },
  { host: 'localhost' },
)
