import type { Cause } from '../core/audit/audit.ts'
import { snakeKeys } from '../core/language/case.ts'
import type { Page, PageRequest } from '../core/language/paging.ts'
import type { Action, ActionOn } from './command.ts'
import type { Terminal } from './terminal.ts'

/** The cause of what these actions change. */
export const commandLine = {
  actor: { kind: 'operator', id: 'command-line' },
  address: null,
  requestId: null,
} satisfies Cause

const pageSize = 200

type Runs<Service> = (
  terminal: Terminal,
  work: (service: Service) => Promise<void>,
) => Promise<void>

/**
 * Makes actions that work on the database directly, with or without a server.
 * @param find chooses one of the functions of database.ts, which is loaded only when an action runs
 */
export const databaseAction =
  <Service>(find: (database: typeof import('./run/database.ts')) => Runs<Service>) =>
  (name: string, action: ActionOn<Service>): Action => ({
    ...action,
    name,
    run: async (input, terminal) => {
      const runOn = find(await import('./run/database.ts'))
      await runOn(terminal, (service) => action.run(service, input, terminal))
    },
  })

/** The item as the Operator API writes it. */
export const jsonOf = <Json>(item: object): Json => JSON.parse(JSON.stringify(snakeKeys(item)))

/** Reads all items of a list, page by page. */
export const allItems = async <Item>(list: (request: PageRequest) => Promise<Page<Item>>) => {
  const items: Item[] = []
  let after: PageRequest['after'] = null
  do {
    const page: Page<Item> = await list({ limit: pageSize, after })
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  return items
}
