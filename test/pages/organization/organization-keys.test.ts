import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import {
  decide,
  formOf,
  keySetCard,
  postFields,
  secretOn,
  ticked,
  wordsOf,
} from '../organization-visit.ts'

await onEachBackend(
  'key sets',
  async (t, { running, issuer, world, stores }) => {
    const { operator, urls } = running
    const { acme, kim, sales, support } = world
    const path = `/organizations/${acme}/keys`
    const admin = await signedIn(issuer, kim)

    interface Row {
      id: string
      name: string
      client_id: string
      permissions: string[]
      workspace_ids: string[] | null
      secrets: { id: string; hint: string; expires_at: string | null }[]
    }
    const rows = async (): Promise<Row[]> =>
      (await operator('GET', `/organizations/${acme}/key-sets`)).body.items
    const row = async (name: string) => (await rows()).find((one) => one.name === name) as Row

    const create = async (
      name: string,
      generation: 'legacy' | 'current' = 'current',
      more: Record<string, string | string[] | null> = {},
    ) => {
      const form = await admin.get(`${path}/new?interface=${generation}`)
      const page = await decide(admin, form, 'create', {}, { name, ...more })
      return { page, secret: secretOn(page), keySet: await row(name) }
    }

    await t.test(
      'a new key set’s secret is shown once, in the session that created it',
      async (t) => {
        const form = await admin.get(`${path}/new`)
        t.same(ticked(form, 'permissions'), [], 'nothing is ticked in advance')
        t.same(ticked(form, 'workspace_ids')[0], '*')
        const made = formOf(form, 'create')
        const fields = new URLSearchParams(
          made.dom
            .querySelectorAll('input[type="hidden"]')
            .map((input): [string, string] => [
              input.getAttribute('name') ?? '',
              input.getAttribute('value') ?? '',
            ]),
        )
        fields.set('name', 'Export')
        fields.set('decision', 'create')
        fields.set('permissions', 'records:create')
        fields.append('workspace_ids', sales)
        const answer = await admin.fetch(`${issuer}${path}`, { method: 'POST', body: fields })
        t.equal(answer.status, 303)
        t.equal(answer.headers.get('cache-control'), 'no-store')
        const location = new URL(answer.headers.get('location') ?? '', issuer)

        const stranger = await signedIn(issuer, kim)
        const elsewhere = await stranger.get(location)
        t.equal(elsewhere.status, 410, 'another session of the same user')
        t.notMatch(elsewhere.text, 'lkks_')

        const page = await admin.get(location)
        const secret = secretOn(page) ?? ''
        t.match(secret, /^lkks_/)
        t.equal(page.headers.get('cache-control'), 'no-store')
        t.match(page.headers.get('content-security-policy'), "script-src 'self'")
        t.match(wordsOf(page), 'It will not be shown again')
        const keySet = await row('Export')
        const download = page.dom.querySelector('a[download]')?.getAttribute('href') ?? ''
        const [, file = ''] = download.split(',')
        t.match(
          decodeURIComponent(file),
          `CLIENT_ID=${keySet.client_id}\nCLIENT_SECRET=${secret}\n`,
        )
        t.same(keySet.workspace_ids, [sales])
        t.same(keySet.permissions, ['records:create'])
        t.equal(keySet.secrets[0]?.hint, `…${secret.slice(-4)}`)

        const again = await admin.get(location)
        t.equal(again.status, 410)
        t.notMatch(again.text, 'lkks_')
        t.match(wordsOf(again), 'This secret was already shown')
        t.same((await row('Export')).secrets, keySet.secrets, 'nothing was rotated')
        t.notMatch((await admin.get(path)).text, 'lkks_')
        t.notMatch(running.log.join(''), secret)
        t.notMatch(running.log.join(''), location.searchParams.get('handover') ?? '')
      },
    )

    await t.test('of concurrent views one shows the secret', async (t) => {
      const form = await admin.get(`${path}/new`)
      const answer = await postFields(admin, `${issuer}${path}`, {
        decision: 'create',
        interface: 'current',
        name: 'Looked at',
        workspace_ids: '*',
      })
      t.equal(form.status, 200)
      const location = answer.headers.get('location') ?? ''
      const pages = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          admin.get(new URL(location, urls[at % urls.length] as string)),
        ),
      )
      t.equal(pages.filter((page) => secretOn(page) !== null).length, 1)
    })

    await t.test('a legacy key set has its own permissions and no workspaces', async (t) => {
      const form = await admin.get(`${path}/new?interface=legacy`)
      t.equal(form.dom.querySelector('input[name="workspace_ids"]'), null)
      const { page, keySet } = await create('Old', 'legacy', { permissions: ['readData'] })
      t.match(wordsOf(page), /App ID.*App Secret/)
      t.match(keySetCard(await admin.get(path), keySet.id), 'Legacy interface')
      const crossed = await postFields(admin, `${issuer}${path}`, {
        decision: 'create',
        interface: 'legacy',
        name: 'Crossed',
        permissions: 'records:create',
      })
      t.equal(crossed.status, 400)
      t.notOk(await row('Crossed'))
    })

    await t.test('an unlisted workspace is refused, whatever its name', async (t) => {
      const { keySet } = await create('Placed', 'current', { workspace_ids: [sales] })
      for (const place of ['\0', 'a b', 'x'.repeat(129), "'", 'wksNone'])
        for (const decision of ['create', 'change']) {
          const answer = await postFields(admin, `${issuer}${path}`, {
            decision,
            interface: 'current',
            key_set_id: keySet.id,
            name: 'Misplaced',
            workspace_ids: place,
          })
          t.equal(answer.status, 400, `${decision} ${JSON.stringify(place.slice(0, 9))}`)
        }
      t.notOk(await row('Misplaced'))
      t.same((await row('Placed')).workspace_ids, [sales])
    })

    await t.test('a missing name is reported, and the input stays', async (t) => {
      const form = await admin.get(`${path}/new`)
      const blank = await decide(
        admin,
        form,
        'create',
        {},
        {
          name: '  ',
          description: 'kept "so"',
          permissions: ['records:update'],
          workspace_ids: [support],
        },
      )
      t.equal(blank.status, 400)
      t.match(wordsOf(blank), 'Enter a name')
      t.match(blank.text, 'kept &quot;so&quot;')
      t.same(ticked(blank, 'permissions'), ['records:update'])
      t.same(ticked(blank, 'workspace_ids'), [support])
      const nowhere = await decide(admin, form, 'create', {}, { name: 'X', workspace_ids: null })
      t.equal(nowhere.status, 400)
      t.match(wordsOf(nowhere), 'Choose at least one workspace')
    })

    await t.test('edited', async (t) => {
      const { keySet } = await create('To edit', 'current', { permissions: ['records:create'] })
      const form = await admin.get(`${path}/${keySet.id}`)
      t.same(ticked(form, 'permissions'), ['records:create'])
      const list = await decide(
        admin,
        form,
        'change',
        {},
        {
          name: 'Edited',
          permissions: ['teams:read'],
          workspace_ids: [support, sales],
        },
      )
      t.match(wordsOf(list), 'The change is in force')
      const after = await row('Edited')
      t.same(after.permissions, ['teams:read'])
      t.same([...(after.workspace_ids ?? [])].sort(), [sales, support].sort())
      t.same(after.secrets, keySet.secrets, 'the secret stays')
      await operator('DELETE', `/workspaces/${support}`)
      t.same((await row('Edited')).workspace_ids, [sales], 'a deleted workspace is not named')
    })

    await t.test('a secret is rotated with an overlap, then at once', async (t) => {
      const { keySet, secret } = await create('Rotated')
      const about = { key_set_id: keySet.id }
      const list = await admin.get(`${path}/${keySet.id}/rotate`)
      t.equal(
        list.dom.querySelector('input[type="radio"][checked]')?.getAttribute('value'),
        '86400',
        'a day, which ends nothing at once',
      )
      const page = await decide(admin, list, 'rotate', about, {
        retire_others_after_seconds: '604800',
      })
      const second = secretOn(page) ?? ''
      t.not(second, secret)
      t.match(wordsOf(page), `The secret that ends in …${secret?.slice(-4)} works until`)
      const [old, fresh] = (await row('Rotated')).secrets
      t.equal(fresh?.expires_at, null)
      const left = Date.parse(old?.expires_at ?? '') - Date.now()
      t.ok(left > 6 * 86_400_000 && left <= 7 * 86_400_000)

      const full = await admin.get(`${path}/${keySet.id}/rotate`)
      t.match(wordsOf(full), 'Two secrets are active')
      t.equal(full.dom.querySelector('input[type="radio"][checked]'), null)
      t.equal(full.dom.querySelectorAll('input[type="radio"]').length, 1, 'its end at once')
      const third = await decide(admin, list, 'rotate', about, {
        retire_others_after_seconds: '3600',
      })
      t.match(wordsOf(third), 'Two secrets are already active')
      const now = await decide(admin, full, 'rotate', about, { retire_others_after_seconds: '0' })
      const last = secretOn(now) ?? ''
      const secrets = (await row('Rotated')).secrets
      t.same(
        secrets.map(({ hint }) => hint),
        [`…${last.slice(-4)}`],
      )
      const odd = await postFields(admin, `${issuer}${path}`, {
        decision: 'rotate',
        ...about,
        retire_others_after_seconds: '-1',
      })
      t.equal(odd.status, 400)
    })

    await t.test('of ten concurrent rotations one secret is valid', async (t) => {
      const { keySet } = await create('Raced')
      const form = formOf(await admin.get(`${path}/${keySet.id}/rotate`), 'rotate')
      const pages = await Promise.all(
        Array.from({ length: 10 }, () =>
          admin.submit(form, { decision: 'rotate', retire_others_after_seconds: '0' }),
        ),
      )
      const shown = pages.map(secretOn)
      t.equal(new Set(shown).size, 10, 'each page showed its own')
      const { secrets } = await row('Raced')
      t.equal(secrets.length, 1)
      t.equal(shown.filter((one) => `…${one?.slice(-4)}` === secrets[0]?.hint).length, 1)
    })

    await t.test('a secret is retired, and a key set deleted', async (t) => {
      const { keySet } = await create('Ending')
      const about = { key_set_id: keySet.id }
      await decide(admin, await admin.get(`${path}/${keySet.id}/rotate`), 'rotate', about)
      const [old, fresh] = (await row('Ending')).secrets
      const retire = { ...about, secret_id: old?.id ?? '' }
      t.match(keySetCard(await admin.get(path), keySet.id), /Ends inCreatedLast used/)
      const page = await admin.get(`${path}/${keySet.id}/secrets/${old?.id}/retire`)
      t.match(wordsOf(page), 'Programs that still use this secret stop working at once')
      t.match(wordsOf(await decide(admin, page, 'retire', retire)), 'The secret has ended')
      t.same(
        (await row('Ending')).secrets.map(({ id }) => id),
        [fresh?.id],
      )
      const twice = await decide(admin, page, 'retire', retire)
      t.match(wordsOf(twice), 'Another person has changed this')

      const only = await admin.get(`${path}/${keySet.id}/secrets/${fresh?.id}/retire`)
      t.match(wordsOf(only), 'It is the only secret')
      const requested = await admin.get(`${path}/${keySet.id}/delete`)
      t.match(wordsOf(requested), /Delete Ending\?.*This cannot be undone/)
      const gone = await decide(admin, requested, 'delete', about)
      t.match(wordsOf(gone), 'The key is deleted')
      t.equal(keySetCard(gone, keySet.id), null)
      for (const part of ['', '/rotate', '/delete', '/workloads', `/secrets/${fresh?.id}/retire`])
        t.equal((await admin.get(`${path}/${keySet.id}${part}`)).status, 404, part)
      t.notOk(await row('Ending'))
      const events = (await operator('GET', `/audit?client_id=${keySet.client_id}`)).body.items
      t.same(
        events.map((one: { type: string }) => one.type),
        ['key_set.deleted', 'key_set.secret_retired', 'key_set.rotated', 'key_set.created'],
      )
      t.ok(events.every((one: { actor: { id: string } }) => one.actor.id === kim.id))
    })

    await t.test('the record store contains no secret in clear text', async (t) => {
      const answer = await postFields(admin, `${issuer}${path}`, {
        decision: 'create',
        interface: 'current',
        name: 'Waiting',
        workspace_ids: '*',
      })
      const name = new URL(answer.headers.get('location') ?? '', issuer).searchParams.get(
        'handover',
      )
      t.ok(name, stores.name)
      const forged = await admin.get(`${path}/${(await row('Export')).id}/secret?handover=${name}x`)
      t.equal(forged.status, 410)
    })
  },
  { instances: 2 },
)
