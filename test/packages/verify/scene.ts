/** A data API's verifier and its server, for one test. */
import type { Test } from 'tap'
import {
  type Access,
  createVerifier,
  TokenInvalid,
  VerificationUnavailable,
  type Verifier,
  type VerifierOptions,
} from '../../../packages/verify/src/verify.ts'
import {
  audience,
  resourceServer,
  type ScriptedServer,
  startScriptedServer,
} from '../../support/scripted-server.ts'

export interface Scene {
  server: ScriptedServer
  verifier: Verifier
  /** Reasons of failed requests to the server. */
  problems: string[]
}

/** Starts both; the options go to the verifier. @param prepare the server's data from the start */
export const createScene = async (
  t: Test,
  options: Partial<VerifierOptions> = {},
  prepare: (server: ScriptedServer) => unknown = () => {},
): Promise<Scene> => {
  const server = await startScriptedServer()
  await prepare(server)
  const problems: string[] = []
  const verifier = createVerifier({
    issuer: server.issuer,
    audience,
    resourceServer,
    log: false,
    onProblem: ({ reason }) => problems.push(reason),
    ...options,
  })
  t.teardown(async () => {
    await verifier.close()
    await server.stop()
  })
  return { server, verifier, problems }
}

/** The result for a token: its subject, or `code: reason`. */
export const outcomeOf = (verifying: Promise<Access>): Promise<string> =>
  verifying.then(
    ({ kind }) => kind,
    (error) => {
      if (error instanceof TokenInvalid || error instanceof VerificationUnavailable)
        return `${error.code}: ${error.reason}`
      throw error
    },
  )
