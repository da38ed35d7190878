/** The limit of changes that the identity provider of an organization may send. */
import { onEachBackend } from '../support/on-each-backend.ts'
import { connectProvider, patchOf } from '../support/scim.ts'

await onEachBackend('changes of a provider', async (t, { running }) => {
  const { operator } = running
  const made = async (path: string, body: object): Promise<string> =>
    (await operator('POST', path, body)).body.id

  for (const [what, remove] of [
    ['an operation without members', patchOf({ op: 'remove', path: 'members' })],
    ['a list without members', patchOf({ op: 'replace', path: 'members', value: [] })],
  ] as const)
    t.test(`SCM-06 members whom ${what} removes count as changes`, async (t) => {
      const organization = await made('/organizations', { name: 'Limits' })
      const group = await made(`/organizations/${organization}/workspaces`, { name: 'Sales' })
      for (let at = 0; at < 6; at++) {
        const user = await made('/users', { email: `${organization}.${at}@a.test`, name: 'Kim' })
        await operator('PUT', `/organizations/${organization}/members/${user}`, { role: 'member' })
        t.equal((await operator('PUT', `/workspaces/${group}/members/${user}`, {})).status, 200)
      }
      const scim = await connectProvider(running, organization)
      const patch = async (body: object) =>
        (await scim.call('PATCH', `/Groups/${group}`, body)).status
      // Each of its three lists has values that count, and so does the request.
      const listing = (most: number) =>
        patchOf({ op: 'remove', path: 'members', value: Array(most - 3).fill('none') })
      for (const changes of [20_000, 20_000, 19_996]) t.equal(await patch(listing(changes)), 204)
      t.equal(await patch(remove), 204, 'four places are left')
      t.equal(await patch(patchOf({ op: 'replace', path: 'displayName', value: 'Other' })), 429)
    })
})
