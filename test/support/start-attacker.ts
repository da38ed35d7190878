import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import ts from 'typescript'
import type { Attack, AttackTally } from './attacker.ts'

const source = readFileSync(new URL('./attacker.ts', import.meta.url), 'utf8')
/**
 * Compiled to JavaScript, so that the process starts without a compiler, which would load the
 * machine.
 */
const program = ts.transpileModule(source, {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
}).outputText

/**
 * Starts an attack on the server at this URL, in a process of its own. @returns when it is under
 * way
 */
export const startAttacker = async (url: string, attack: Attack) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ATTACK: JSON.stringify(attack), PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stopNow = () => child.kill('SIGKILL')
  process.once('exit', stopNow)
  const tally = json(child.stdout) as Promise<AttackTally>
  tally.catch(() => undefined)
  await once(child.stderr, 'data') // It reports its start.
  return {
    /** Its statistics, at the end. */
    tally: tally.finally(() => process.off('exit', stopNow)),
    stop: stopNow,
  }
}
