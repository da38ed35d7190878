import { type ApiAction, apiAction, done, inColumns, listing } from './api-action.ts'
import type { Action } from './command.ts'
import type { Column } from './output.ts'
import { required, type Settings, text } from './setting.ts'

/** What a list contains, and in which order. */
export const choosing = {
  q: text('search <text>', 'only those whose name, id or address has it'),
  sort: text('sort <order>', 'name or created_at; --sort=-created_at has the newest first'),
}

type Own<Answer> = Partial<Pick<ApiAction<Answer>, 'body' | 'settings' | 'notes' | 'print'>>

/**
 * The usual actions of a resource.
 * @param path names the arguments, such as `/users/{user-id}`
 * @param shortColumns those of a list
 */
export const resource = <Item>(
  path: `/${string}`,
  columns: readonly Column<Item>[],
  shortColumns = columns,
) => {
  const print = inColumns(columns)
  const patch = `PATCH ${path}` as const
  const collection = path.slice(0, path.lastIndexOf('/')) as typeof path
  return {
    /** Lists what is one level above the path. */
    list: (summary: string, name = 'list', settings: Settings = choosing) =>
      listing(name, collection, { summary, columns: shortColumns, settings }),
    show: (summary: string, name = 'show') => apiAction(name, `GET ${path}`, { summary, print }),
    create: <Created extends Item>(summary: string, own: Own<Created>) =>
      apiAction<Created>('create', `POST ${collection}`, { summary, print, ...own }),
    put: (name: string, summary: string, own: Own<Item>) =>
      apiAction(name, `PUT ${path}`, { summary, print, ...own }),
    update: (summary: string, settings: Settings) =>
      apiAction('update', patch, { summary, settings, needsSetting: true, print }),
    rename: (summary: string) => {
      const settings = { name: required(text('name <text>', 'the new name')) }
      return apiAction('rename', patch, { summary, settings, print })
    },
    /** Two actions with their summaries: the first one sets the member, the other one unsets it. */
    switches: (member: keyof Item & string, summaries: Record<string, string>): Action[] =>
      Object.entries(summaries).map(([name, summary], at) =>
        apiAction(name, patch, { summary, body: { [member]: at === 0 }, print }),
      ),
    /** Reports the sentence: `Removed.` after `remove` and the like. */
    remove: (
      summary: string,
      name = 'delete',
      sentence = name.startsWith('remove') ? 'Removed.' : 'Deleted.',
    ) => apiAction(name, `DELETE ${path}`, { summary, print: done(sentence) }),
  }
}
