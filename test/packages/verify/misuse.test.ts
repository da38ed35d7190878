/** A wrong use of the library says what to change, to the log and to `onProblem`, also without a framework. */
import t from 'tap'
import {
  answerTo,
  authorize,
  InsufficientScope,
  type Requirement,
  type VerifierOptions,
  WrongUse,
} from '../../../packages/verify/src/verify.ts'
import { eventually } from '../../support/eventually.ts'
import { createScene } from './scene.ts'

const good: Requirement = { interface: 'current', organization: 'org1' }
const broken = (error: unknown) => () => {
  throw error
}

const createReported = async (t: Parameters<typeof createScene>[0]) => {
  const lines: string[] = []
  const problems: Parameters<NonNullable<VerifierOptions['onProblem']>>[0][] = []
  const scene = await createScene(
    t,
    { log: { warn: (line) => lines.push(line) }, onProblem: (one) => problems.push(one) },
    (server) => {
      server.script = ({ path }) =>
        path === '/.well-known/oauth-authorization-server'
          ? { body: { issuer: server.issuer, scopes_supported: ['records:create'] } }
          : null
    },
  )
  const ask = (rest: object) =>
    authorize(scene.verifier, scene.server.token(), { ...good, ...rest } as Requirement)
  return { ...scene, lines, problems, ask }
}

const typeError = new TypeError('Cannot read properties of undefined')

const wrong: [what: string, rest: object, reason: string, message: RegExp][] = [
  ['no organization', { organization: undefined }, 'requirement', /`organization` must be the id/],
  ['a misspelt member', { permission: [] }, 'requirement', /there is no `permission`/],
  ['undefined', { organization: () => undefined }, 'organization', /returned undefined: return/],
  ['a number', { workspace: async () => 7 }, 'workspace', /returned a value of type number/],
  ['the old form', { organization: broken(typeError) }, 'organization', /threw TypeError: it gets/],
]

for (const [what, rest, reason, message] of wrong)
  t.test(`${what} is reported, logged once`, async (t) => {
    const { verifier, ask, lines, problems } = await createReported(t)
    for (const _ of [1, 2]) await t.rejects(ask(rest), TypeError)
    t.equal(problems.length, 2)
    t.ok(problems[0] instanceof WrongUse)
    t.match(problems[0], { code: 'wrong_use', reason, message })
    t.match(verifier.status().problems, [{ part: 'requirement', reason, count: 2, message }])
    t.equal(lines.length, 1)
    t.match(lines[0], message)
  })

t.test('an error of a function is thrown as it is', async (t) => {
  const { ask, problems, lines } = await createReported(t)
  await t.rejects(ask({ organization: broken(typeError) }), typeError)
  t.equal(problems[0]?.cause, typeError)
  const secret = new Error('select … where secret = lkks_1')
  await t.rejects(ask({ workspace: broken(secret) }), secret)
  t.notMatch(lines.join(), /lkks_/, 'its text is not logged')
})

t.test('an answer of the program is no wrong use', async (t) => {
  const { ask, problems } = await createReported(t)
  for (const members of [{ status: 404 }, { statusCode: 400 }]) {
    const answer = Object.assign(new Error('no such table'), members)
    await t.rejects(ask({ organization: broken(answer) }), answer)
  }
  const forbidden = new InsufficientScope('organization')
  await t.rejects(ask({ organization: broken(forbidden) }), forbidden)
  await t.rejects(ask({ organization: () => null }), forbidden)
  t.same(problems, [])
})

t.test(
  'a permission that the server does not have is reported, and the token refused',
  async (t) => {
    const { ask, problems, verifier, server } = await createReported(t)
    const needs = (permissions: string[]) => ask({ permissions }).catch((error) => answerTo(error))
    await eventually(async () => {
      t.match(await needs(['records:create', 'record:delete']), { status: 403 })
      return problems.length > 0
    })
    t.match(problems[0], { reason: 'permission', message: /has no permission "record:delete"/ })
    t.match(verifier.status().problems, [{ part: 'requirement', reason: 'permission' }])
    const before = problems.length
    const token = server.token({ permissions: [] })
    const little = authorize(verifier, token, { ...good, permissions: ['records:create'] })
    await t.rejects(little, InsufficientScope)
    t.equal(problems.length, before, 'a known one is the client’s matter')
  },
)
