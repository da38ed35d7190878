/** `packages/verify` gives the result of every vector. */
import t from 'tap'
import {
  type Access,
  authorize,
  type Credential,
  createVerifier,
  credentialIn,
  isVerificationError,
  legacyCredential,
  type Verifier,
} from '../../../packages/verify/src/verify.ts'
import type { Expected, Step, Vector } from '../../../scripts/vectors/vector.ts'
import { resourceServer } from '../../../scripts/vectors/world.ts'
import { scriptedFetch } from './scripted-fetch.ts'
import { files, vectorsIn } from './vectors.ts'

/** Reads the credential from the place where the request has it. */
const read = ({ credential, request = {} }: Step): Credential | null => {
  const { method = '', url = '' } = request
  if (credential === null || typeof credential === 'string') return credential
  if ('headers' in credential) return credentialIn(credential.headers, { method, url })
  if ('variables' in credential) return legacyCredential(credential.variables)
  return { ...credential, method, url }
}

const verify = async (verifier: Verifier, step: Step): Promise<Access> => {
  const credential = read(step)
  const { requires } = step.request ?? {}
  if (requires) return authorize(verifier, credential, requires)
  return verifier.verify(credential as Credential)
}

/** Data of an access, without its functions. */
const dataOf = ({ can, reaches, ...data }: Access): Expected => ({ ok: true, access: data })

const resultOf = async (verifier: Verifier, step: Step): Promise<Expected> => {
  try {
    return dataOf(await verify(verifier, step))
  } catch (error) {
    if (!isVerificationError(error)) throw error
    return { ok: false, code: error.code, reason: error.reason }
  }
}

/** A token that reaches the keys, so that it waits until keys and feed are read. */
const first = `${Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"-"}').toString('base64url')}.e30.AAAA`

const canStart = ({ expect }: Vector) => expect.ok || expect.reason !== 'starting'

const run = async (vector: Vector) => {
  let time = vector.now
  const verifier = createVerifier({
    issuer: vector.issuer,
    audience: vector.audience,
    resourceServer,
    fetch: scriptedFetch(vector),
    log: false,
    now: () => time * 1000,
    timeout: canStart(vector) ? 30 : 0.2,
  })
  try {
    if (canStart(vector)) await resultOf(verifier, { credential: first, expect: vector.expect })
    const results: [Expected, Expected][] = []
    for (const step of [...(vector.earlier ?? []), vector]) {
      time = step.now ?? vector.now
      results.push([await resultOf(verifier, step), step.expect])
    }
    return results
  } finally {
    await verifier.close()
  }
}

for (const file of files)
  t.test(file, async (t) => {
    for (const vector of vectorsIn(file))
      for (const [result, expected] of await run(vector))
        t.strictSame(result, expected, vector.name)
  })
