/** The running demo, and readers who have read its file of variables. */
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Test } from 'tap'
import { password, people } from '../../demo/cast.ts'
import { type RunningDemo, startDemo } from '../../demo/demo.ts'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { lowPort } from '../support/free-port.ts'
import { operatorAt, type Running } from '../support/latchkey.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { Answers } from '../support/visitor.ts'
import { createReader, type Reader, type Shell } from './reader.ts'

export interface DemoScene extends Pick<Running, 'issuer' | 'log' | 'operator'> {
  demo: RunningDemo
  /** She signs in and allows apps. */
  ana: Answers
  /** A reader in the folder of the demo, who has read its variables. */
  reader(t: Test, shell?: Shell): Promise<Reader>
}

/** What a reader types first. */
export const setUp = '. data/demo/app.env'

/** A demo for the tests of one file, as `npm run demo` starts it. */
export const startDemoScene = async (t: Test): Promise<DemoScene> => {
  if (!(await findPackage().catch(() => null)))
    throw new Error('there is no packaged Postgres here')
  const root = await temporaryDirectory('documented')
  const directory = join(root, 'data/demo')
  const log: string[] = []
  const lines = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk))
      done()
    },
  })
  const demo = await startDemo({
    port: lowPort(),
    directory,
    tell: () => undefined,
    logger: pino({ level: 'debug', base: null }, lines),
  })
  t.teardown(async () => {
    await demo.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })
  const reader = async (test: Test, shell?: Shell) => {
    const one = await createReader(test, {}, shell)
    await mkdir(join(one.directory, 'data'))
    await symlink(directory, join(one.directory, 'data/demo'))
    await one.run('sh', setUp)
    return one
  }
  const env = (await reader(t)).env
  return {
    demo,
    issuer: demo.issuer,
    log,
    operator: operatorAt(demo.issuer, env.LATCHKEY_OPERATOR_TOKEN),
    ana: { email: people.ana.email, password },
    reader,
  }
}
