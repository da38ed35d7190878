/** The first page of the console: what waits, figures, what ends soon and what fails, each for the rights of its reader. */
import { eventually } from '../../support/eventually.ts'
import { clientCredentials } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const document = JSON.stringify({
  ...{ name: 'New', clientType: 'public', redirectUris: ['https://new.example/cb'], scopes: [] },
  ...{ homepageUri: null, logoUri: null, policyUri: null, tosUri: null, jwks: null, jwksUri: null },
})

await onEachBackend('the overview of the operator', async (t, { running, stores, world }) => {
  const { operator } = running
  const { acme, ana, kim, confidential } = world
  const { visitor } = await visitAs(running, stores, '*')
  const overview = () => visitor.get('/operator')
  const rowOf = ({ dom }: VisitedPage, id: string, words: string) =>
    dom
      .querySelector(`#${id}`)
      ?.parentNode?.querySelectorAll('tbody tr')
      .find((one) => one.text.includes(words))
  const hrefOf = (page: VisitedPage, id: string, words: string) =>
    rowOf(page, id, words)?.querySelector('a')?.getAttribute('href')

  await t.test('the first steps tick themselves, and go', async (t) => {
    await sql(stores, `delete from usage_days where organization_id = '${acme}'`)
    const before = await overview()
    const steps = before.dom.querySelectorAll('.first-steps li')
    t.equal(steps.filter((one) => one.querySelector('.good')).length, 4, 'all but the token')
    t.match(wordsOf(before), `client_id=`)
    t.equal((await clientCredentials(running.issuer, confidential, acme)).status, 200)
    await eventually(async () => (await overview()).dom.querySelector('.first-steps') === null)
  })

  await t.test('what waits has a count and a link', async (t) => {
    for (const statement of [
      `insert into app_reviews (id, client_id, host, document)
       values ('arv1', 'https://new.example/1', 'new.example', '${document}')`,
      `insert into install_requests (id, organization_id, client_id, user_id, permissions)
       values ('irq1', '${acme}', '${world.second.client_id}', '${ana.id}', '{}')`,
    ])
      await sql(stores, statement)
    const page = await overview()
    t.match(rowOf(page, 'waiting', 'New apps')?.text, '1')
    t.equal(hrefOf(page, 'waiting', 'New apps'), '/operator/reviews')
    t.equal(hrefOf(page, 'waiting', 'members of Acme'), `/operator/organizations/${acme}`)
    t.equal(hrefOf(page, 'waiting', 'not reviewed'), '/operator/not-reviewed')
    const admin = await signedIn(running.issuer, kim)
    const home = await admin.get('/')
    t.match(wordsOf(home), '1 request waits in Acme')
    t.ok(home.dom.querySelector(`.waiting a[href="/organizations/${acme}/apps"]`))
    const member = await signedIn(running.issuer, ana)
    t.notMatch(wordsOf(await member.get('/')), 'waits in Acme', 'who may not decide is not told')
  })

  await t.test('figures are those of the last seven days', async (t) => {
    await sql(
      stores,
      `insert into usage_days (organization_id, day, client_id, outcome, reason, count) values
       ('${acme}', current_date, 'app', 'issued', 'x', 41), ('${acme}', current_date, 'app', 'refused', 'x', 7),
       ('${acme}', current_date - 9, 'app', 'issued', 'x', 5000)`,
    )
    const figures = (await overview()).dom.querySelectorAll('.figures li')
    t.same(
      figures.map((one) => one.querySelector('.hint')?.text),
      ['Tokens', 'Refused requests', 'Sign-ins', 'New connections'],
    )
    const [tokens, refused, signIns] = figures.map((one) =>
      Number(one.querySelector('.figure')?.text),
    )
    t.ok(tokens !== undefined && tokens >= 41 && tokens < 100, `${tokens}`)
    t.ok(refused !== undefined && refused >= 7)
    t.ok(signIns !== undefined && signIns > 0)
    t.equal(figures[0]?.querySelectorAll('rect').length, 7)
  })

  await t.test('what ends soon and what fails has its page', async (t) => {
    const { body: hook } = await operator('POST', '/webhooks', { url: 'https://hooks.example/all' })
    for (const statement of [
      `update app_secrets set expires_at = now() + interval '3 days' where client_id = '${confidential.client_id}'`,
      `update installs set expires_at = now() + interval '9 days'
        where organization_id = '${acme}' and client_id = '${world.second.client_id}'`,
      `update webhooks set disabled_at = now(), disabled_reason = 'failing' where id = '${hook.id}'`,
      `insert into mails (user_id, event_id, type, category, detail, last_error)
       values ('${ana.id}', 'e1', 'user.invited', 'account', '{}', 'refused')`,
    ])
      await sql(stores, statement)
    const page = await overview()
    t.equal(hrefOf(page, 'ending', 'Secret of an app'), `/operator/apps/${confidential.client_id}`)
    t.equal(hrefOf(page, 'failing', 'hooks.example'), `/operator/webhooks/${hook.id}`)
    t.match(rowOf(page, 'failing', 'Mails')?.text, '1')
    const reader = await visitAs(running, stores, 'permissions:read')
    const none = wordsOf(await reader.visitor.get('/operator'))
    t.notMatch(none, /hooks\.example|Secret of an app|Sign-ins|New apps|Acme|client_id/)
  })
})
