/**
 * The server answers plain authorization requests without oidc-provider (decision 0119). No answer may be another one because
 * of that: another server on the same stores lets oidc-provider validate every request, and both get the same requests.
 */
import { join } from 'node:path'
import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { decodeGrantToken } from '../../src/core/grants/token-format.ts'
import { canonical } from '../../src/http/current/engine/parameters.ts'
import { plainParameters } from '../../src/http/current/engine/plain-request.ts'
import { mixed, oneByOne, type Sent, valuesOf } from '../support/authorization-requests.ts'
import { credentials, currentCode, exchangeCode, post } from '../support/flows.ts'
import { type Json, masterKey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { everyScope, openidApp } from '../support/openid.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { startServerProcess, unlimited } from '../support/server-process.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { loader } from '../support/typescript/loader.ts'
import type { Visitor } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const root = join(import.meta.dirname, '../..')
const withoutPlain = join(import.meta.dirname, '../support/without-plain-requests.mjs')
const keyring = createKeyring([Buffer.from(masterKey, 'base64')])

const environment = { ...unlimited, PLATFORM_ORIGINS: 'https://platform.example' }

/** One request to each server. */
interface Question {
  path: string
  sent: Sent
  visitor: Visitor | null
  isPosted: boolean
}

interface Answered {
  status: number
  headers: [string, string][]
  body: string
  /** null: none */
  code: string | null
}

const generated = [
  [/lkac_\w+/g, 'CODE'],
  [/\/interaction\/[\w-]+/g, '/interaction/ID'],
  [/(latchkey_browser=)[\w-]+/g, '$1VALUE'],
] as const

const ask = async (url: string, { path, sent, visitor, isPosted }: Question): Promise<Answered> => {
  const parameters = new URLSearchParams(sent)
  const cookie =
    visitor && [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(isPosted ? `${url}${path}` : `${url}${path}?${parameters}`, {
    redirect: 'manual',
    headers: cookie ? { cookie } : {},
    ...(isPosted && { method: 'POST', body: parameters }),
  })
  const { headers } = response
  const id = headers.get('x-request-id') ?? ''
  const same = (text: string) =>
    generated.reduce(
      (changed, [what, by]) => changed.replace(what, by),
      text.replaceAll(id, 'REQUEST'),
    )
  const body = await response.text()
  const code = /lkac_\w+/.exec(`${headers.get('location')} ${body}`)?.[0] ?? null
  return {
    status: response.status,
    headers: [...headers]
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => [name, same(value)]),
    body: same(body),
    code,
  }
}

await onEachBackend(
  'plain requests',
  async (t, { running, issuer, world, stores }) => {
    const { operator } = running
    const { acme, other, sales, support, finance, ana, zoe, kim, publicApp, confidential } = world
    const { legacy } = world
    const compared = await startServerProcess(t, {
      stores,
      program: join(root, 'src/main.ts'),
      environment: {
        ...environment,
        ISSUER: issuer,
        NODE_OPTIONS: [...loader, `--import=${withoutPlain}`].join(' '),
      },
    })
    t.match(compared.log(), 'no request is plain')

    const resource = 'https://files.example/'
    await registerResourceServer(running, { name: 'Files', resource: [resource] })
    const appWith = async (part: Record<string, unknown>) => {
      const app = await createApp(running, part)
      await install(running, acme, app)
      return app
    }
    const wiki = await openidApp(running, world, { pkce_required: false })
    const native = await appWith({
      client_type: 'public',
      redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb', 'https://app.example/cb'],
    })
    const pushed = await appWith({ require_pushed_authorization_requests: true })
    const fapi = await appWith({ security_profile: 'fapi2' }).catch(() => pushed)
    const apps = [confidential, publicApp, wiki, native, pushed, fapi]
    const ofAna = await signedIn(issuer, ana)
    const ofZoe = await signedIn(issuer, zoe)
    const agreed: Record<string, string>[] = [{}, { resource }]
    for (const app of [confidential, publicApp])
      for (const more of agreed) await currentCode(running, app, ana, more, ofAna)
    const scope = { scope: everyScope }
    const hints: string[] = []
    for (const more of agreed) {
      const grant = await currentCode(running, wiki, ana, { ...scope, ...more }, ofAna)
      hints.push((await exchangeCode(issuer, wiki, grant)).body.id_token)
    }

    const of = {
      organizations: [acme, other],
      workspaces: [sales, support, finance],
      resources: [resource],
      hints,
    }
    const valuesFor = (app: TestApp) =>
      valuesOf({
        ...of,
        ...(app === wiki && scope),
        redirectUris: [app.redirect_uri, 'http://127.0.0.1:8000/cb', 'com.example.app:/cb'],
      })

    let count = 0
    let plain = 0
    let codes = 0
    const pairs: [string, string][] = []

    const compare = async (question: Question, second = question.sent) => {
      const one = await ask(issuer, question)
      const another = await ask(compared.url, { ...question, sent: second })
      count++
      const { code: _, ...first } = one
      const { code: __, ...expected } = another
      const label = `${question.path} ${JSON.stringify(question.sent)}`
      if (JSON.stringify(first) !== JSON.stringify(expected)) t.same(first, expected, label)
      if (one.code && another.code) {
        pairs.push([one.code, another.code])
        codes++
      }
      if (Boolean(one.code) !== Boolean(another.code)) t.fail(`one code: ${label}`)
    }

    const visitors = [ofAna, ofAna, ofAna, ofAna, ofAna, ofAna, ofAna, ofZoe, null]
    const questionOf = (sent: Sent, at: number): Question => ({
      path: '/authorize',
      sent,
      visitor: visitors[at % visitors.length] ?? null,
      isPosted: at % 5 === 4,
    })
    const byClient = new Map(apps.map((app) => [app.client_id, app]))
    const isPlain = (sent: Sent) => {
      const app = byClient.get(sent.find(([name]) => name === 'client_id')?.[1] ?? '')
      const redirectUris = app ? [app.redirect_uri] : []
      return plainParameters(canonical(sent), { redirectUris, clientType: 'confidential' }) !== null
    }
    const compareAll = async (questions: Question[]) => {
      for (let at = 0; at < questions.length; at += 8)
        await Promise.all(questions.slice(at, at + 8).map((one) => compare(one)))
      plain += questions.filter(({ sent }) => isPlain(sent)).length
    }
    const ids = apps.map((app) => app.client_id)
    const some = (amount: number, clientIds = ids, values = valuesFor(confidential)) =>
      mixed(clientIds, values, amount).map(questionOf)

    await t.test('with each parameter missing, empty, repeated and odd', async () => {
      for (const app of [confidential, wiki]) {
        const requests = oneByOne(app.client_id, valuesFor(app))
        await compareAll(requests.map((sent) => ({ ...questionOf(sent, 0) })))
      }
      const unknown = [undefined, 'app_unknown', legacy.client_id, '\0', 'https://app.example/id']
      const rest = oneByOne('', valuesFor(confidential)).slice(0, 5)
      const sent = unknown.flatMap((id) =>
        rest.map(
          (one): Sent =>
            [...(id === undefined ? [] : [['client_id', id] as const]), ...one.slice(1)] as Sent,
        ),
      )
      await compareAll(sent.map(questionOf))
    })

    await t.test('of several apps, users and forms', async () => {
      await compareAll(some(800))
      for (const app of [publicApp, native])
        await compareAll(some(100, [app.client_id], valuesFor(app)))
    })

    await t.test('that are pushed', async () => {
      const requests = [
        ...oneByOne(confidential.client_id, valuesFor(confidential)).slice(0, 40),
        ...mixed([pushed.client_id, wiki.client_id], valuesFor(pushed), 60),
      ]
      for (const sent of requests) {
        const app = byClient.get(sent[0]?.[1] as string) as TestApp
        const rest = sent.filter(([name]) => name !== 'client_id')
        const push = async () => {
          const fields: Record<string, string[]> = {}
          for (const [name, value] of rest) fields[name] = [...(fields[name] ?? []), value]
          const { body } = await post(`${issuer}/api/oauth/par`, { ...fields, ...credentials(app) })
          return body.request_uri as string | undefined
        }
        const [one, another] = [await push(), await push()]
        if (!one || !another) continue
        const use = (uri: string): Sent => [
          ['client_id', app.client_id],
          ['request_uri', uri],
        ]
        await compare(questionOf(use(one), 0), use(another))
        await compare(questionOf(use(one), 0), use(another))
      }
    })

    await t.test('of the legacy interface', async () => {
      const requests = oneByOne(legacy.client_id, valuesFor(legacy)).slice(0, 120)
      for (const sent of requests) {
        const withType: Sent = [['response_type', 'code'], ...sent]
        await compare({ path: '/oauth/authorize', sent: withType, visitor: ofAna, isPosted: false })
      }
    })

    const installPath = (app: TestApp) => `/organizations/${acme}/installs/${app.client_id}`
    const done = async (answer: Promise<Json>) => {
      const { status, body } = await answer
      if (status >= 300) throw new Error(JSON.stringify(body))
    }
    const patch = (path: string, body: Json) => () => done(operator('PATCH', path, body))
    const changeInstall = (part: Json) => patch(installPath(confidential), part)
    const policy = (part: Json) => () =>
      done(operator('PUT', `/organizations/${acme}/policy`, { connect: 'all', ...part }))
    const deniedPath = `${installPath(confidential)}/denied/${ana.id}`
    /** What changes, and how it is undone. */
    const states: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'after an install was narrowed',
        changeInstall({ permissions: ['records:create'], workspace_ids: [sales] }),
        changeInstall({ permissions: ['records:create', 'records:update'], workspace_ids: null }),
      ],
      [
        'after an install was suspended',
        changeInstall({ suspended: true }),
        changeInstall({ suspended: false }),
      ],
      [
        'after a user was denied the app',
        () => done(operator('PUT', deniedPath)),
        () => done(operator('DELETE', deniedPath)),
      ],
      [
        'after an install got an audience',
        changeInstall({ audience: { users: [kim.id] } }),
        changeInstall({ audience: { everyone: true } }),
      ],
      [
        'after the policy changed',
        policy({ public_apps: 'refuse' }),
        policy({ public_apps: 'allow' }),
      ],
      [
        'after the app was disabled',
        patch(`/apps/${confidential.client_id}`, { disabled: true }),
        patch(`/apps/${confidential.client_id}`, { disabled: false }),
      ],
      [
        'after a sign-in has become old',
        () => sql(stores, 'update sessions set authenticated_at = authenticated_at - 200000000'),
        () => sql(stores, 'update sessions set authenticated_at = authenticated_at + 200000000'),
      ],
      [
        'after the app was uninstalled',
        () => done(operator('DELETE', installPath(confidential))),
        () => install(running, acme, confidential),
      ],
      [
        'after the user was disabled',
        patch(`/users/${ana.id}`, { disabled: true }),
        patch(`/users/${ana.id}`, { disabled: false }),
      ],
      [
        'after the session has ended',
        () => sql(stores, 'update sessions set expires_at = now()'),
        async () => {},
      ],
    ]
    for (const [name, change, undo] of states)
      await t.test(name, async () => {
        await change()
        await compareAll(some(50, [confidential.client_id, publicApp.client_id]))
        await undo()
      })

    await t.test('make the same grants', async (t) => {
      const idOf = (code: string) => decodeGrantToken(keyring, 'code', code)?.familyId
      const columns = `user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions, workspace_ids,
        redirect_uri, code_challenge, openid, dpop_jkt, connection_epoch, resources, auth_time, acr,
        extract(epoch from expires_at - created_at) as lifetime`
      const rows = await sql<{ id: string }>(stores, `select id, ${columns} from grants`)
      const grants = new Map(rows.map(({ id, ...rest }) => [id, JSON.stringify(rest)]))
      const different = pairs.filter(([one, another]) => {
        const [made, expected] = [idOf(one), idOf(another)].map((id) => grants.get(id ?? ''))
        return made === undefined || made !== expected
      })
      t.same(different, [])
    })

    t.comment(`${count} requests, ${plain} plain, ${codes} codes`)
    t.ok(count >= 2000, `${count} requests`)
    t.ok(plain > 500 && count - plain > 500, `${plain} of them plain`)
    t.ok(codes > 300, `${codes} codes`)
  },
  { environment },
)
