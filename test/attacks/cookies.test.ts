import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { filled, signedIn } from '../support/signed-in.ts'
import { createVisitor, formFields, mainForm } from '../support/visitor.ts'

const https = { ISSUER: 'https://auth.example' }

await onEachBackend(
  'cookies',
  async (t, { running, world }) => {
    const url = running.urls[0] as string
    const visitor = createVisitor(url)
    const lines: string[] = []
    const note = (headers: Headers) => lines.push(...headers.getSetCookie())

    t.test('UI-08 every cookie has its flags', async (t) => {
      const begun = await visitor.fetch(
        authorizeUrl(url, world.confidential, { code_challenge: challengeOf(newVerifier()) }),
      )
      note(begun.headers)
      const page = await visitor.get('/login')
      note(page.headers)
      const form = filled(page, { email: world.ana.email, password: world.ana.password })
      const entered = await visitor.fetch(`${url}/login`, { method: 'POST', body: form })
      t.equal(entered.status, 303)
      note(entered.headers)
      const out = await visitor.get('/logout')
      note(out.headers)
      const left = await visitor.fetch(`${url}/logout`, {
        method: 'POST',
        body: new URLSearchParams(formFields(mainForm(out))),
      })
      t.equal(left.status, 303)
      note(left.headers)
      const insecure = await visitor.fetch(`${url}/login`, {
        headers: { 'x-forwarded-proto': 'http', forwarded: 'proto=http' },
      })
      note(insecure.headers)
      t.ok(lines.length >= 4, String(lines.length))
      for (const line of lines) {
        const label = line.replace(/=[^;]*/, '=…')
        t.match(line, /^__Host-latchkey_(browser|csrf|done|last|lists|session|signed_out)=/, label)
        t.match(line, /; Secure/i, label)
        t.match(line, /; HttpOnly/i, label)
        t.match(line, /; SameSite=(Lax|Strict)/i, label)
        t.match(line, /; Path=\/(;|$)/i, label)
        t.notMatch(line, /Domain/i, label)
      }
      t.match(entered.headers.get('strict-transport-security'), /max-age=[1-9]\d{6,}/)
    })

    t.test('UI-08 ignores a cookie without its prefix or signature', async (t) => {
      const session = await signedIn(url, world.ana)
      const value = session.cookies.get('__Host-latchkey_session') as string
      t.ok(value)
      const planted = createVisitor(url)
      planted.cookies.set('latchkey_session', value)
      const answer = await planted.fetch(`${url}/account/apps`)
      t.equal(answer.status, 303, 'a sibling domain cannot set one')
      const page = await session.get('/logout')
      const csrf = session.cookies.get('__Host-latchkey_csrf') as string
      session.cookies.set('__Host-latchkey_csrf', `${csrf.split('.')[0]}.x`)
      t.equal((await session.submit(page, {})).status, 403, 'an unsigned one')
    })
  },
  { environment: https },
)
