import t from 'tap'
import type { AuditEvent } from '../../../src/core/audit/audit.ts'
import { passwordRequested } from '../../../src/core/notifications/password-requests.ts'
import { createReminders, type EndingSecret } from '../../../src/core/notifications/reminders.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

const world = `
  insert into users (id, email, name, verified_email)
    values ('usr1', 'a@acme.test', 'A', 'a@acme.test'), ('usr2', 'b@acme.test', 'B', 'b@acme.test');
  insert into organizations (id, name) values ('org1', 'One');
  insert into members (organization_id, user_id, role) values ('org1', 'usr1', 'admin'), ('org1', 'usr2', 'member');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
    values ('app1', 'App', 'current', 'confidential', '{}', '{}');
  insert into app_owners (client_id, user_id, position) values ('app1', 'usr2', 1);
  insert into key_sets (id, client_id, organization_id, interface, name, permissions)
    values ('kst1', 'kcl1', 'org1', 'current', 'Keys', '{}');`

await onEachStores(t, 'reminders', async (t, stores, setup) => {
  await sql(setup, world)
  const reminders = (withMails = true) => {
    const made = createReminders({
      store: stores.reminders,
      withMails,
      onError: (error) => t.fail(String(error)),
    })
    t.teardown(made.close)
    return made
  }
  const mailsOf = async (type: string) => {
    while ((await stores.mailOutbox.expand(100, passwordRequested)) > 0);
    return sql<{ user_id: string; detail: Record<string, unknown> }>(
      setup,
      'select user_id, detail from mails where type = $1 order by created_at, user_id',
      [type],
    )
  }

  t.test('each step of a secret is reported once, by whatever instance', async (t) => {
    await sql(
      setup,
      `insert into app_secrets (id, client_id, digest, hint, expires_at) values
         ('soon', 'app1', '', '', now() + interval '12 hours'),
         ('later', 'app1', '', '', now() + interval '20 days'),
         ('far', 'app1', '', '', now() + interval '40 days'),
         ('over', 'app1', '', '', now() - interval '1 second'),
         ('never', 'app1', '', '', null)`,
    )
    await sql(
      setup,
      `insert into key_set_secrets (id, key_set_id, digest, hint, expires_at)
         values ('key', 'kst1', 'k', '', now() + interval '6 days')`,
    )
    // Without mails, webhooks and the audit trail report it all the same.
    const taken: EndingSecret[] = []
    const eventsOf = (secrets: readonly EndingSecret[]): AuditEvent[] => {
      taken.push(...secrets)
      return []
    }
    await Promise.all(Array.from({ length: 6 }, () => stores.reminders.endingSecrets(10, eventsOf)))
    t.same(taken.map(({ id, days, kind }) => [id, days, kind]).sort(), [
      ['key', 7, 'key_set'],
      ['later', 30, 'app'],
      ['soon', 1, 'app'],
    ])
    await sql(
      setup,
      `update app_secrets set expires_at = now() + interval '3 days' where id = 'later'`,
    )
    await stores.mailOutbox.announce()
    await Promise.all(Array.from({ length: 3 }, () => reminders().run()))
    const events = await sql<{ detail: Record<string, unknown> }>(
      setup,
      `select detail from audit_events where type = 'secret.expiring'`,
    )
    t.match(events, [{ detail: { secret_id: 'later', days: 7, kind: 'app' } }])
    t.equal(events.length, 1)
    const mails = await mailsOf('secret.expiring')
    t.match(mails, [{ user_id: 'usr2' }], 'the owner')
    t.equal(mails.length, 1)
  })

  t.test('an app that is unused for 90 days is reported to the admins, once', async (t) => {
    await sql(
      setup,
      `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
         select 'un' || n, 'App', 'current', 'confidential', '{}', '{}' from generate_series(1, 3) n;
       insert into installs (id, organization_id, client_id, permissions, created_at, last_used_at) values
         ('ins1', 'org1', 'un1', '{}', now() - interval '100 days', now() - interval '91 days'),
         ('ins2', 'org1', 'un2', '{}', now() - interval '100 days', now() - interval '89 days'),
         ('ins3', 'org1', 'un3', '{}', now() - interval '10 days', null)`,
    )
    for (let round = 0; round < 3; round++) await reminders().run()
    await mailsOf('app.unused')
    const mails = await sql(setup, `select user_id, client_id from mails where type = 'app.unused'`)
    t.same(mails, [{ user_id: 'usr1', client_id: 'un1' }])
    t.equal(await stores.reminders.unusedApps('', 2), 'ins2', 'a page ends in its last install')
    t.equal(await stores.reminders.unusedApps('ins2', 2), null)
  })

  t.test('refusals that rise are reported to the owners', async (t) => {
    const today = `(now() at time zone 'utc')::date`
    await sql(
      setup,
      `insert into usage_days (organization_id, day, client_id, outcome, reason, count) values
         ('org1', ${today}, 'app1', 'refused', 'scope', 70),
         ('org1', ${today} - 1, 'app1', 'refused', 'scope', 14),
         ('org1', ${today}, 'un1', 'refused', 'scope', 70),
         ('org1', ${today}, 'un2', 'issued', 'refresh_token', 70)`,
    )
    await Promise.all(Array.from({ length: 3 }, () => stores.reminders.risingRefusals()))
    const mails = await mailsOf('app.refusals_rose')
    t.match(mails, [{ user_id: 'usr2', detail: { count: 70 } }])
    t.equal(mails.length, 1)
  })

  t.test('an app that asks for more is reported in each organization that lacks it', async (t) => {
    await sql(
      setup,
      `insert into organizations (id, name) values ('org2', 'Two');
       insert into members (organization_id, user_id, role) values ('org2', 'usr1', 'admin');
       update apps set permissions = '{records:create}' where client_id = 'app1';
       insert into installs (id, organization_id, client_id, permissions) values
         ('more1', 'org1', 'app1', '{}'), ('more2', 'org2', 'app1', '{records:create}')`,
    )
    await stores.audit.append([
      {
        type: 'app.changed',
        actor: { kind: 'operator', id: 'opt1' },
        clientId: 'app1',
        detail: { changed: ['permissions'] },
      },
      {
        type: 'app.changed',
        actor: { kind: 'operator', id: 'opt1' },
        clientId: 'app1',
        detail: { changed: ['name'] },
      },
    ])
    await mailsOf('app.asks_for_more')
    t.same(
      await sql(
        setup,
        `select user_id, organization_id from mails where type = 'app.asks_for_more'`,
      ),
      [{ user_id: 'usr1', organization_id: 'org1' }],
    )
  })
})
