/** English: what the operator's console shows of one organization, and the successor of a legacy app. */
import { message } from '../message.ts'

export const operatorDaily = {
  workspace: {
    noMembers: 'No member of the organization has this workspace.',
    add: {
      heading: 'Add a member to this workspace',
      lead: 'The person must be a member of the organization.',
      submit: 'Add the member',
    },
    remove: {
      heading: 'Remove this member from the workspace',
      lead: 'The person loses this workspace, and apps can no longer use it in the person’s name. The person stays a member of the organization.',
      submit: 'Remove the member',
    },
    rename: { action: 'Rename', heading: 'Rename this workspace', submit: 'Save' },
    delete: {
      action: 'Delete the workspace',
      heading: 'Delete this workspace',
      lead: 'Apps and keys lose it at once, and its members too. Apps that were approved for this workspace only can then use none. This cannot be undone.',
      submit: 'Delete the workspace',
    },
  },

  policy: {
    heading: 'Rules for apps',
    change: 'Change the rules',
    connect: 'Members may connect',
    selfInstall: 'Members may install by themselves',
    expires: 'Access ends after',
    idle: 'Access ends when unused for',
    noEnd: 'No end date',
    days: message('{count, plural, one {# day} other {# days}}', 'count'),
  },

  installedFor: 'Decided',
  byMembers: 'by members, each for themselves',
  byAdmin: 'by an admin or an operator',

  installEnd: {
    change: 'Change the end',
    heading: 'When the access of this app ends',
    lead: 'At the end the app stops in this organization, for every person.',
    submit: 'Save the end',
  },

  scim: {
    heading: 'SCIM tokens',
    hint: 'The identity provider uses them to manage users and groups here.',
    empty: 'There is no SCIM token.',
    create: 'Create a SCIM token',
    remove: 'Delete',
    groups: 'Groups',
    groupKinds: {
      workspaces: 'Workspaces of the organization',
      admin: 'One group for the admins',
      groups: 'Groups of people, without workspaces',
    },
    createForm: {
      heading: 'Create a SCIM token',
      lead: 'The next page shows it once. Programs that have it can create and disable users of this organization.',
      submit: 'Create the token',
    },
    removeForm: {
      heading: 'Delete this SCIM token',
      lead: 'The identity provider cannot use it from now on. Users and groups stay as they are.',
      submit: 'Delete the token',
    },
  },

  identityProvider: {
    heading: 'Identity provider',
    hint: 'Apps get tokens of members with its assertions (ID-JAG), without a page.',
    none: 'The organization has no identity provider.',
    set: 'Set an identity provider',
    change: 'Change',
    remove: 'Remove',
    issuer: 'Issuer',
    issuerHint: 'Exactly as in its assertions, such as https://idp.example.com.',
    apps: 'Apps that may use it',
    appsHint:
      'Client ids, one on each line. Leave it empty for every installed app with identity assertions.',
    everyApp: 'Every installed app with identity assertions',
    jwksUri: 'Address of its keys',
    jwksUriHint: 'Leave it empty to find the keys through the issuer.',
    discovered: 'Found through the issuer',
    setForm: {
      heading: 'The identity provider of this organization',
      lead: 'Its assertions give apps tokens in the name of members, within what the organization has approved.',
      submit: 'Save the identity provider',
    },
    removeForm: {
      heading: 'Remove the identity provider',
      lead: 'Its assertions are refused at once. Access tokens that apps already have stay valid until they expire.',
      submit: 'Remove the identity provider',
    },
  },

  keySets: {
    heading: 'Keys for its own programs',
    empty: 'There is no key.',
    remove: 'Delete',
    removeForm: {
      heading: 'Delete this key',
      lead: 'Its secrets and its tokens stop working at once. Every program that uses it is locked out. This cannot be undone.',
      submit: 'Delete the key',
    },
  },

  successor: {
    heading: 'Successor',
    none: 'No current app replaces it.',
    set: 'Set a successor',
    change: 'Change the successor',
    remove: 'Remove the successor',
    app: 'Current app',
    map: 'What each legacy permission becomes',
    mapHint:
      'One legacy permission on each line, then a colon, then the new permissions with spaces between them. Permissions that are left out become none.',
    mapFault: 'Write each line as a legacy permission, a colon and the new permissions.',
    setForm: {
      heading: 'The current app that replaces this one',
      lead: 'It can exchange the refresh tokens of this app for its own access, each once.',
      submit: 'Save the successor',
    },
    removeForm: {
      heading: 'Remove the successor of this app',
      lead: 'The current app can no longer exchange refresh tokens of this one. People who have not moved yet stay here. Access that has moved stays.',
      submit: 'Remove the successor',
    },
  },

  changeInstall: {
    change: 'Change what it may do',
    heading: 'What this app may do here',
    lead: 'Less counts at once. Each person allows more the next time the app asks.',
    submit: 'Save',
  },

  chooseApp: { heading: 'Choose the app to install' },

  changeServer: {
    heading: 'Change this resource server',
    lead: 'The change counts from its next request.',
    submit: 'Save',
    change: 'Change',
    everyPermission: 'All permissions, including future ones',
    everyPermissionHint: 'Otherwise it sees only the permissions that are ticked below.',
  },

  deleteUser: {
    action: 'Delete the user',
    heading: 'Delete this user',
    lead: 'The account is gone for good. All sessions end at once, no app acts in the person’s name any more, and the person leaves every organization. This cannot be undone.',
    submit: 'Delete the user',
  },
}
