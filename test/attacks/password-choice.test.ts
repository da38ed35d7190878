import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { password } from '../support/world.ts'

const common = [
  'password123',
  'Password123',
  'PASSWORD123',
  'iloveyou1',
  'qwertyuiop',
  '1234567890',
  '88888888',
  'abcdefgh',
  'L4tchk3y!',
  '        ',
]

await onEachBackend('choice of passwords', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { ana } = world

  t.test('UI-19 the operator cannot set a commonly guessed password', async (t) => {
    const person = { email: 'Maria.Lopez@Example.test', name: 'María López' }
    const personal = [
      'maria.lopez@example.test',
      'MARIA.LOPEZ@EXAMPLE.TEST',
      'maria.lopez',
      'Maria.Lopez2024!',
      'maríalópez',
      'María López',
      'María López 1',
      'example.test',
      'Example.test1',
      'example2026',
    ]
    const { body } = await operator('POST', '/users', { ...person, email: 'm@b.test' })
    const path = `/users/${body.id}`
    for (const [list, reason] of [
      [common, 'password_(common|service|pattern)'],
      [personal, 'password_(personal|common)'],
    ] as const) {
      for (const one of list) {
        const made = await operator('POST', '/users', { ...person, password: one })
        t.equal(made.status, 400, one)
        t.match(made.body.errors, [{ pointer: '/password', reason: new RegExp(reason) }])
        t.notOk(JSON.stringify(made.body).includes(`"${one}"`), 'the answer does not repeat it')
        const put = await operator('PUT', '/users/usr_of_platform', { ...person, password: one })
        t.strictSame(put.body.errors, made.body.errors, `with an id of the platform: ${one}`)
        const changed = await operator('PATCH', path, { email: person.email, password: one })
        t.equal(changed.status, 400, `changed together with the address: ${one}`)
      }
    }
    await operator('PATCH', path, { email: person.email })
    for (const one of personal)
      t.equal((await operator('PATCH', path, { password: one })).status, 400, one)
    for (const one of [password, 'maria lopez likes the sea', 'example tests are boring'])
      t.equal((await operator('PATCH', path, { password: one })).status, 200, one)
  })

  t.test('UI-19 a user cannot choose a commonly guessed password', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const next of [...common, ana.email, ana.email.toUpperCase(), 'acme.test', 'ana-12345']) {
      const form = await visitor.get('/account/password')
      const fields = { current_password: password, new_password: next }
      const page = await visitor.submit(form, fields)
      t.equal(page.status, 400, next)
      t.match(page.text, /little more than|common password/)
    }
    const again = await signedIn(issuer, ana)
    t.equal((await again.get('/account/password')).url.pathname, '/account/password')
  })
})
