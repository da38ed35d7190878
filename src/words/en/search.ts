/** English: the search of the console and of an organization. */
import { message, phraseOf } from '../message.ts'

export const search = {
  label: 'Search',
  placeholder: 'Name, id or e-mail address',
  submit: 'Search',
  /** Above lists. */
  find: 'Find',
  named: 'Name or id',
  title: 'Search',
  heading: phraseOf(
    '{count, plural, =0 {Nothing found} one {One result} other {# results}} for “{text}”',
    'count',
    'text',
  ),
  most: message('The first {count, number}. Write more of the name to see others.', 'count'),
  lead: 'Write the beginning of a name, an id or an e-mail address. Case and accents do not count.',
  nothing: 'Try fewer or shorter words. Each has to begin a word of the name.',
  name: 'Name',
  id: 'Id',
  within: 'Organization',
  pick: {
    user: 'A name, an e-mail address or an id.',
    organization: 'A name or an id.',
    app: 'A name or a client id.',
  },
  several: message('More than one fits “{text}”: {names}. Write the id.', 'text', 'names'),
  kinds: {
    organization: 'Organizations',
    workspace: 'Workspaces',
    app: 'Apps',
    user: 'People',
    member: 'Members',
    key_set: 'Keys',
    resource_server: 'Data APIs',
    request: 'Requests for apps',
  },
}
