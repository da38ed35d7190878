/** English: one line that sums up what an app may do. */
import { message, phraseOf } from '../message.ts'

export const summary = {
  summary: {
    whole: 'This is the whole request.',
    /** Stands there instead of the line and of `whole` once less is ticked. */
    less: 'Only what is ticked below.',
    /** What the app does with records. A list of these is the value of `records`. */
    verbs: {
      insertData: 'create',
      updateData: 'update',
      deleteData: 'delete',
      'records:create': 'create',
      'records:update': 'update',
      'records:delete': 'delete',
    },
    records: message('{verbs} records', 'verbs'),
    /** Continues "Can …", within the workspaces or the databases. */
    things: {
      read: 'read everything',
      addFields: 'add fields',
      readMembers: 'see the people of the organization',
      'documents:read': 'read documents',
      'workspace_members:read': 'see the members',
      'table:create': 'create tables',
      'table:modify': 'change the choices of dropdown fields',
    },
    /** Reading is the widest power, so it comes first. Other things follow. */
    readAnd: message('read everything, and {things}', 'things'),
    /** Continues "Can …", in the whole organization. */
    wideThings: { 'teams:read': 'see the teams', 'rootTable:create': 'create tables' },
    more: message('do {count, plural, one {# more thing} other {# more things}}', 'count'),
    inAll: message('Can {things} in all workspaces.', 'things'),
    inSome: message(
      'Can {things} in {count, plural, =0 {no workspace yet} one {# workspace} other {# workspaces}}.',
      'things',
      'count',
    ),
    inOrganization: phraseOf('Can {things} in {organization}.', 'things', 'organization'),
    inAllAndWide: message(
      'Can {things} in all workspaces, and {wide} in the whole organization.',
      'things',
      'wide',
    ),
    inSomeAndWide: message(
      'Can {things} in {count, plural, =0 {no workspace yet} one {# workspace} other {# workspaces}}, and {wide} in the whole organization.',
      'things',
      'count',
      'wide',
    ),
    onlyWide: message('Can {wide} in the whole organization.', 'wide'),
    nothing: 'Gets no access to data.',
    /** For permissions that the platform has added: their sentences cannot be joined. */
    count: {
      inAll: message(
        'Can do {count, plural, one {# thing} other {# things}} in all workspaces.',
        'count',
      ),
      inSome: message(
        'Can do {count, plural, one {# thing} other {# things}} in {places, plural, =0 {no workspace yet} one {# workspace} other {# workspaces}}.',
        'count',
        'places',
      ),
      inOrganization: phraseOf(
        'Can do {count, plural, one {# thing} other {# things}} in {organization}.',
        'count',
        'organization',
      ),
    },
    sensitive: phraseOf('Look closely at: {names}.', 'names'),
    sensitiveAndMore: phraseOf(
      'Look closely at: {names}; and {count, number} more.',
      'names',
      'count',
    ),
  },
}
