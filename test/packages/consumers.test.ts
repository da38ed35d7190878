// Nightly, and when packages/ changes: programs of users are compiled with each resolution of modules.
/**
 * Programs of users compile against the package as `npm pack` makes it, with each module resolution, also when the compiler
 * checks declaration files. `npm run build` must have built the package.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { whereFound } from '../support/installed.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const modules = join(root, 'node_modules')

const placeOf = (name: string) => {
  const path = join(modules, name)
  return existsSync(path) ? path : undefined
}

/** What an application writes with each export. */
const core = `
import {
  type Access, answerTo, authorize, bearerToken, type Credential, createVerifier, InsufficientScope, type Interface,
  isVerificationError, legacyCredential, type Log, type Mode, type Problem, type ProblemPart, type ProblemReason,
  ProofInvalid, type ProofReason, type Requirement, type Status, type TokenFault, TokenInvalid, type UnavailableReason,
  type Verifier, type VerifierOptions, VerificationUnavailable,
} from '@latchkey-auth/verify'
import { createGraphqlGuard } from '@latchkey-auth/verify/graphql'
import { createRequireToken as forNode } from '@latchkey-auth/verify/node'
import { createServer } from 'node:http'

const log: Log = console
const mode: Mode = 'introspect'
const options: VerifierOptions = {
  issuer: 'https://auth.example', audience: 'https://api.example', mode, log,
  resourceServer: { clientId: 'id', clientSecret: 'secret' },
}
export const verifier: Verifier = createVerifier(options)
const { ready, feedAge, keysReadAt, problems }: Status = verifier.status()
const first: Problem | undefined = problems[0]
const part: ProblemPart | undefined = first?.part
const reason: ProblemReason | undefined = first?.reason
export const facts: [boolean, number | null, Date | null, string | undefined] = [ready, feedAge, keysReadAt, part]
const generation: Interface = 'current'
const requirement: Requirement = { interface: generation, organization: ({ access }) => access.organizationId }

export const handle = async (credential: Credential | null): Promise<Access | string> => {
  try {
    const access = await authorize(verifier, credential, requirement)
    return access.kind === 'user' ? access.userId : access
  } catch (error) {
    if (!isVerificationError(error)) throw error
    const status: 401 | 403 | 503 | undefined = answerTo(error)?.status
    if (error instanceof TokenInvalid) { const fault: TokenFault = error.reason; return fault }
    if (error instanceof ProofInvalid) { const fault: ProofReason = error.reason; return fault }
    if (error instanceof VerificationUnavailable) { const why: UnavailableReason = error.reason; return why }
    if (error instanceof InsufficientScope) return error.needed.join(' ')
    return String(status) + reason
  }
}

const requireToken = forNode({ verifier })
const check = requireToken({ organization: ({ request }) => request.url, permissions: ['records:create'] })
createServer(async (request, response) => {
  const access = await check(request, response)
  if (access) response.end(access.organizationId + String(bearerToken(request.headers)))
})
const guard = createGraphqlGuard({ verifier })
export const inGraphql = (variables: unknown) =>
  guard({ variables }, { interface: 'legacy', organization: 'org1' }).then(({ can }) => can('readData'))
export const legacy: string | null = legacyCredential({})
// @ts-expect-error a requirement needs an organization
requireToken({ permissions: [] })
// @ts-expect-error the legacy interface has its token elsewhere, but a word of another kind is none
authorize(verifier, null, { interface: 'old', organization: 'org1' })
`

const uses: Record<string, { packages: string[]; text: string }> = {
  express: {
    packages: ['express', '@types/express'],
    text: `
import { createRequireToken } from '@latchkey-auth/verify/express'
import express = require('express')
import { verifier } from './core.cjs'
const requireToken = createRequireToken({ verifier, publicUrl: 'https://api.example' })
const app = express()
app.get(
  '/organizations/:organization/records',
  requireToken({ organization: ({ request }) => request.params.organization, workspace: ({ request }) => String(request.query.w) }),
  (request, response) => { response.json(request.access?.permissions) },
)
`,
  },
  hono: {
    packages: ['hono'],
    text: `
import { createRequireToken, type LatchkeyEnvironment } from '@latchkey-auth/verify/hono'
import { Hono } from 'hono'
import { verifier } from './core.cjs'
const requireToken = createRequireToken({ verifier })
const app = new Hono<LatchkeyEnvironment>()
app.get(
  '/organizations/:organization/records',
  requireToken({ organization: ({ request }) => request.req.param('organization') }),
  (context) => context.json(context.get('access').permissions),
)
`,
  },
  fastify: {
    packages: ['fastify'],
    text: `
import { latchkeyVerify } from '@latchkey-auth/verify/fastify'
import { fastify } from 'fastify'
import { verifier } from './core.cjs'
const app = fastify()
app.register(latchkeyVerify, { verifier })
app.get(
  '/organizations/:organization/records',
  { preHandler: app.requireToken({ organization: ({ request }) => (request.params as { organization: string }).organization }) },
  async ({ access }) => access?.permissions,
)
`,
  },
}

/** The package, installed in an empty folder beside the types that its users have. */
const install = async (t: Test) => {
  const folder = t.testdir({ 'package.json': '{ "type": "module" }' })
  const pack = ['pack', './packages/verify', '--ignore-scripts', '--json', '--pack-destination']
  const { stdout } = await run('npm', [...pack, folder], { cwd: root })
  const [{ filename }] = JSON.parse(stdout)
  const installed = join(folder, 'node_modules/@latchkey-auth/verify')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  for (const name of ['@types/node', ...Object.values(uses).flatMap(({ packages }) => packages)]) {
    const path = placeOf(name)
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    if (path) symlinkSync(path, join(folder, 'node_modules', name))
  }
  return folder
}

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** @returns the errors of the compiler; empty when there are none */
const compile = async (folder: string, files: string[], options: Record<string, unknown>) => {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  const compilerOptions = { target: 'es2022', noEmit: true, types: ['node'], ...strict, ...options }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  return run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

const resolutions: [name: string, file: string, options: Record<string, string>][] = [
  ['node16, ES module', 'core.mts', { module: 'node16', moduleResolution: 'node16' }],
  ['node16, CommonJS', 'core.cts', { module: 'node16', moduleResolution: 'node16' }],
  ['nodenext, ES module', 'core.mts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['nodenext, CommonJS', 'core.cts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundler', 'core.ts', { module: 'esnext', moduleResolution: 'bundler' }],
  [
    'node10, as older projects have it',
    'core.ts',
    { module: 'commonjs', moduleResolution: 'node10' },
  ],
]

const isBuilt = existsSync(join(root, 'packages/verify/dist/cjs/package.json'))

t.test('consumers compile', whereFound(isBuilt, 'the built package (npm run build)'), async (t) => {
  const folder = await install(t)
  for (const name of ['core.mts', 'core.cts', 'core.ts']) writeFileSync(join(folder, name), core)
  for (const [name, file, options] of resolutions)
    t.equal(await compile(folder, [file], { ...options, skipLibCheck: false }), '', name)

  const broken = core.replace('const requirement: Requirement', 'const wrong: number = options\n$&')
  writeFileSync(join(folder, 'broken.mts'), broken)
  const [, , options] = resolutions[0] ?? []
  t.match(await compile(folder, ['broken.mts'], { ...options }), /TS2322/, 'the test can fail')

  for (const [name, { packages, text }] of Object.entries(uses))
    t.test(name, whereFound(packages.every(placeOf), packages.join(', ')), async (t) => {
      writeFileSync(join(folder, `${name}.cts`), text)
      const given = { module: 'node16', moduleResolution: 'node16', esModuleInterop: true }
      // The declarations of the frameworks are not our matter.
      t.equal(await compile(folder, [`${name}.cts`], { ...given, skipLibCheck: true }), '')
    })
})
