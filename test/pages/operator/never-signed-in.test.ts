/** What the console says of accounts: which have never signed in, and which an operator must not change. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { connectProvider, newScimUser } from '../../support/scim.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import { wordsOf } from '../organization-visit.ts'
import { newPerson, visitAs } from './operator-visit.ts'

await onEachBackend('never signed in', async (t, { running, stores, world, issuer }) => {
  const { operator } = running
  const never = 'Has never signed in'
  const hasSignedIn = async (id: string) =>
    (await operator('GET', `/users/${id}`)).body.has_signed_in
  const { visitor } = await visitAs(running, stores, '*')

  t.test('a person who has never signed in is marked until the first sign-in', async (t) => {
    const person = await newPerson(running)
    const page = `/operator/people/${person.id}`
    t.equal(await hasSignedIn(person.id), false)
    t.match(wordsOf(await visitor.get(page)), never)
    const form = await visitor.get(`${page}/operator`)
    t.match(wordsOf(form), 'This person has never signed in')
    await visitor.submit(form, { permissions: 'apps:read' })
    const owned = `/apps/${world.confidential.client_id}`
    await operator('PATCH', owned, { owners: [person.id] })
    const app = `/operator/apps/${world.confidential.client_id}`
    for (const shown of ['/operator/tokens/operators', app])
      t.match(wordsOf(await visitor.get(shown)), never, shown)
    const before = await operator('GET', `/users/${person.id}`)

    await signedIn(issuer, person)
    t.equal(await hasSignedIn(person.id), true)
    for (const shown of [page, `${page}/operator`, app, '/operator/tokens/operators'])
      t.notMatch(wordsOf(await visitor.get(shown)), /never signed in/)
    const after = await operator('GET', `/users/${person.id}`)
    t.equal(after.headers.get('etag'), before.headers.get('etag'), 'no new version')
    await operator('DELETE', `/users/${person.id}/sessions`)
    t.equal(await hasSignedIn(person.id), true, 'also without a session')
  })

  t.test('an operator without all rights learns why an operator stays as it is', async (t) => {
    const { visitor } = await visitAs(running, stores, 'users:read', 'users:write')
    const other = await newPerson(running)
    await operator('PUT', `/users/${other.id}/operator`, { permissions: ['audit:read'] })
    const before = (await operator('GET', `/users/${other.id}`)).body
    for (const [change, fields] of [
      ['change', { name: 'Other' }],
      ['disable', {}],
      ['end-sessions', {}],
      ['delete', {}],
    ] as const) {
      const form = await visitor.get(`/operator/people/${other.id}/${change}`)
      const answer = await visitor.submit(form, fields)
      t.equal(answer.status, 403, change)
      t.match(wordsOf(answer), /Only an operator with all rights can change/, change)
    }
    t.same((await operator('GET', `/users/${other.id}`)).body, before)
  })

  t.test('an account from before this version', async (t) => {
    const scim = await connectProvider(running, world.acme)
    const { id } = (await scim.call('POST', '/Users', newScimUser())).body
    const { id: made } = await newPerson(running)
    await sql(stores, 'update users set has_signed_in = true where id = any($1)', [[id, made]])
    t.equal(await hasSignedIn(id), false, 'one of a provider has no way in')
    t.equal(await hasSignedIn(made), true, 'another may have signed in')
  })
})
