/** The errors of one copy of the library are known to another one. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import * as own from '../../../packages/verify/src/verify.ts'

const { InsufficientScope, ProofInvalid, TokenInvalid, VerificationUnavailable } = own

/** Bundled, because the runtime loads the sources once. */
const load = async (t: Test): Promise<typeof own> => {
  const outfile = join(t.testdir(), 'copy.mjs')
  const entry = join(import.meta.dirname, '../../../packages/verify/src/verify.ts')
  await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', outfile })
  return import(pathToFileURL(outfile).href)
}

t.test('errors of another copy', async (t) => {
  const copy = await load(t)
  t.not(copy.TokenInvalid, TokenInvalid, 'it is another copy')
  const errors = [
    [new copy.TokenInvalid('expired'), TokenInvalid, 401],
    [new copy.ProofInvalid('proof_missing'), ProofInvalid, 401],
    [new copy.InsufficientScope('permission', ['records:create']), InsufficientScope, 403],
    [new copy.VerificationUnavailable('stale'), VerificationUnavailable, 503],
  ] as const
  for (const [error, Class, status] of errors) {
    t.ok(error instanceof Class)
    t.ok(own.isVerificationError(error))
    t.equal(own.answerTo(error)?.status, status)
    for (const [, Other] of errors) t.equal(error instanceof Other, Other === Class)
  }
})

t.test('other values are no errors of this library', (t) => {
  const values = [null, undefined, 1, 'token-invalid', {}, new Error('x'), new TypeError('x')]
  const named = Object.assign(new Error('x'), { name: 'TokenInvalid', code: 'token-invalid' })
  for (const value of [...values, named, TokenInvalid, Object.prototype]) {
    t.notOk(own.isVerificationError(value))
    t.equal(own.answerTo(value), null)
    t.notOk(value instanceof TokenInvalid)
  }
  t.end()
})

t.test('the brand is no member that is logged', (t) => {
  const error = new TokenInvalid('expired')
  t.same(Reflect.ownKeys(error).sort(), ['code', 'message', 'name', 'reason', 'stack'])
  t.end()
})
