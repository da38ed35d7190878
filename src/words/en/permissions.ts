/** English: permissions and workspaces of apps. */
import type { PermissionMark, PermissionWords } from '../../core/language/permission-catalogue.ts'
import type { BuiltInPermission, Interface, Sensitivity } from '../../core/language/permissions.ts'
import { message, phraseOf } from '../message.ts'

type Texts<Generation extends Interface> = {
  [Name in BuiltInPermission<Generation>]: PermissionWords & {
    sentence: string
    mark: Sensitivity<Generation, Name> extends 'sensitive' ? PermissionMark : null
  }
}

const marks: Record<PermissionMark | 'not_described', string> = {
  personal_data: 'personal data',
  data_loss: 'data can be lost',
  whole_organization: 'whole organization',
  not_described: 'not described',
}

const legacyPermissions: Texts<'legacy'> = {
  readData: {
    group: 'read',
    sentence: 'Read everything in the databases of the organization',
    mark: null,
  },
  insertData: { group: 'write', sentence: 'Create records', mark: null },
  updateData: { group: 'write', sentence: 'Update records', mark: null },
  deleteData: { group: 'write', sentence: 'Delete records', mark: 'data_loss' },
  readMembers: {
    group: 'people',
    sentence: 'Read the names and e-mail addresses of the people in the organization',
    mark: 'personal_data',
  },
  addFields: { group: 'structure', sentence: 'Add fields to databases', mark: null },
}

const currentPermissions: Texts<'current'> = {
  'documents:read': {
    group: 'read',
    sentence: 'Read documents and templates in the content app',
    mark: null,
  },
  'records:create': { group: 'write', sentence: 'Create records', mark: null },
  'records:update': { group: 'write', sentence: 'Update records', mark: null },
  'records:delete': { group: 'write', sentence: 'Delete records', mark: 'data_loss' },
  'workspace_members:read': {
    group: 'people',
    sentence: 'Read the names and e-mail addresses of workspace members',
    mark: 'personal_data',
  },
  'teams:read': {
    group: 'people',
    sentence: 'Read which teams exist in the whole organization',
    mark: 'whole_organization',
  },
  'table:create': {
    group: 'structure',
    sentence: 'Create tables in the workspaces below',
    mark: null,
  },
  'table:modify': {
    group: 'structure',
    sentence: 'Change the choices of dropdown fields',
    mark: null,
  },
  'rootTable:create': {
    group: 'structure',
    sentence: 'Create tables in the organization itself',
    mark: 'whole_organization',
  },
}

/** The words of the built-in permissions in English. Only their sentences are translated. */
export const builtInPermissions = { legacy: legacyPermissions, current: currentPermissions }

const sentencesOf = <Name extends string>(texts: Record<Name, { sentence: string }>) =>
  Object.fromEntries(
    Object.entries<{ sentence: string }>(texts).map(([name, { sentence }]) => [name, sentence]),
  ) as Record<Name, string>

type Sentences = Record<'openid' | 'profile' | 'email', string>

const identity: Record<'self' | 'other', Sentences> = {
  self: {
    openid: 'Recognise you each time you come back',
    profile: 'See your name',
    email: 'See your e-mail address',
  },
  other: {
    openid: 'Recognise the person',
    profile: 'See the person’s name',
    email: 'See the person’s e-mail address',
  },
}

export const permissions = {
  identity,

  permissionSentences: {
    legacy: sentencesOf(legacyPermissions),
    current: sentencesOf(currentPermissions),
  },

  permissionList: {
    legend: 'It will be able to',
    hint: 'Untick what you do not want to allow.',
    always: 'always included',
    needed: 'needed',
    lockedInstall:
      'The app does not work without what is needed. If you do not want it, do not install the app.',
    lockedConsent:
      'The app does not work without what is needed. If you do not want it, choose Deny.',
    lockedChange:
      'The app does not work without what is needed. If you do not want it, uninstall the app.',
    none: 'Nothing except your identity.',
    fresh: 'New',
    approved: 'Already approved',
    sensitive: 'Look at these first',
    readEverything: 'Read everything in the workspaces below',
    groups: {
      identity: 'Identity',
      read: 'Read',
      write: 'Write',
      people: 'People',
      structure: 'Structure',
      other: 'Other',
      always: 'Always',
    },
    marks,
    unknown: message('Use the permission “{name}”', 'name'),
  },

  workspaces: {
    legend: 'Where',
    all: 'All workspaces, including future ones',
    only: 'Only these…',
    later: 'Also workspaces that you join later',
    total: message('{total, plural, one {# workspace} other {# workspaces}}', 'total'),
    ticked: message(
      '{count} of {total, plural, one {# workspace} other {# workspaces}}',
      'count',
      'total',
    ),
    find: 'Find a workspace',
    remove: 'Untick {name}',
    tick: 'Tick all that are shown',
    untick: 'Untick all that are shown',
    shown: '{count} shown',
    reach: message(
      '{own, number} of {total, plural, one {# workspace} other {# workspaces}}',
      'own',
      'total',
    ),
    approvedBy: phraseOf('approved by {by} on {on}', 'by', 'on'),
    noneOwn: 'You are not in any workspace that was approved, so there is nothing to read yet.',
    noneYet: 'There are no workspaces yet.',
    chooseOne: 'Choose at least one workspace.',
  },
}
