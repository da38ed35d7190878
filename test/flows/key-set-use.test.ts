/**
 * What the pages show about the use of a key set's secrets, from tokens that resource servers
 * introspected.
 */
import { keySetCard } from '../pages/organization-visit.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { withinOneDay } from '../support/one-day.ts'
import {
  createKeySet,
  introspectAt,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'

const seconds = () => Math.floor(Date.now() / 1000)
const today = () => new Date().toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

await withinOneDay()
await onEachBackend('secrets in use', async (t, { running, issuer, world, stores }) => {
  const { acme, kim } = world
  const server = await registerResourceServer(running)
  // Uses are written at the latest when an instance stops.
  const another = await startLatchkey(stores, { environment: { ISSUER: issuer } })
  const { id, client_id: iss, secret: first } = await createKeySet(running, acme)
  const show = async (secret: string, exp: number | undefined = seconds() + 600) => {
    const token = selfSign(secret, { iss, iat: seconds(), ...(exp && { exp }) })
    t.equal((await introspectAt(another.urls[0] as string, server, token)).body.active, true)
  }
  const admin = await signedIn(issuer, kim)
  const at = (part: string) => `${issuer}/organizations/${acme}/${part}`
  const card = async () => keySetCard(await admin.get(at('keys')), id) ?? ''

  t.match(await card(), 'Active')
  t.notMatch(await card(), 'without an expiry date')
  await show(first)
  await show(first, 0)
  const rotated = await running.operator('POST', `/organizations/${acme}/key-sets/${id}/rotate`, {
    retire_others_after_seconds: 86_400,
  })
  const second = rotated.body.secret as string
  await show(first)
  await show(second)
  await another.stop()

  t.match(await card(), `Still used, last on ${today()}`)
  t.match(await card(), 'not safe to end')
  t.match(await card(), `Tokens without an expiry date were seen, last on ${today()}`)
  t.match(await card(), 'A new secret ends them.')
  const activity = await admin.get(at('activity'))
  t.match(activity.text, `Tokens without an expiry date were seen, last on ${today()}`)
  t.match(activity.dom.text.replaceAll(/\s+/g, ' '), 'used a token without an expiry date')

  const set = (text: string) =>
    sql(stores, `update key_set_secrets set ${text} where key_set_id = $1`, [id])
  const older = `case when id <> (select id from key_set_secrets where key_set_id = $1
                     order by created_at desc limit 1) then`
  await set(`last_used_at = ${older} created_at - interval '1 minute' else last_used_at end`)
  t.match(await card(), /Last used on .* before the newer one was created/)
  await set(`last_used_at = ${older} now() - interval '3 days' else last_used_at end`)
  t.match(await card(), /Safe to end: the newer one is in use, and this one was last used on/)
  await set(`last_used_at = ${older} null else last_used_at end`)
  t.match(await card(), 'and this one was never used')
  await set(`created_at = created_at - interval '45 days'`)
  t.match(await card(), 'Safe to end: never used since it was created 45 days ago')
  await set(`last_used_at = ${older} now() - interval '31 days' else last_used_at end`)
  t.match(await card(), 'Safe to end: not used for 31 days')
})
