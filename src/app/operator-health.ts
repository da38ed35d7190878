// Part of the wiring (app.ts): the state of the stores, for the operator's console.
import { readFileSync } from 'node:fs'
import type { Health } from '../pages/operator/gate.ts'
import type { Foundation } from './foundation.ts'

const versionOf = () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

export const operatorHealth =
  ({ stores }: Pick<Foundation, 'stores'>) =>
  async (): Promise<Health> => {
    const names = Object.keys(stores.checks)
    const settled = await Promise.allSettled(Object.values(stores.checks).map((check) => check()))
    const [migration, { waiting }] = await Promise.all([
      stores.latestMigration(),
      stores.webhookOutbox.backlog(),
    ])
    return {
      stores: names.map((name, at) => ({ name, isUp: settled[at]?.status === 'fulfilled' })),
      warnings: stores.warnings(),
      waitingWebhooks: waiting,
      migration,
      version: versionOf(),
    }
  }
