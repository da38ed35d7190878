/** Every word of the pages in English. Another language is another file of this shape. */
import { activityText } from './activity-text.ts'
import { organizationText } from './organization-text.ts'
import { type Phrase, phrase } from './view-models.ts'

export type PermissionText = {
  group: 'read' | 'write' | 'people' | 'structure'
  sentence: string
  mark?: string
}

const personalData = 'personal data'
const canBeLost = 'data can be lost'
const wholeOrganization = 'whole organization'

const legacyPermissions: Record<string, PermissionText> = {
  readData: { group: 'read', sentence: 'Read everything in the databases of the organization' },
  insertData: { group: 'write', sentence: 'Create records' },
  updateData: { group: 'write', sentence: 'Update records' },
  deleteData: { group: 'write', sentence: 'Delete records', mark: canBeLost },
  readMembers: {
    group: 'people',
    sentence: 'Read the names and e-mail addresses of the people in the organization',
    mark: personalData,
  },
  addFields: { group: 'structure', sentence: 'Add fields to databases' },
}

const currentPermissions: Record<string, PermissionText> = {
  'documents:read': {
    group: 'read',
    sentence: 'Read documents and templates in the content app',
  },
  'records:create': { group: 'write', sentence: 'Create records' },
  'records:update': { group: 'write', sentence: 'Update records' },
  'records:delete': { group: 'write', sentence: 'Delete records', mark: canBeLost },
  'workspace_members:read': {
    group: 'people',
    sentence: 'Read the names and e-mail addresses of workspace members',
    mark: personalData,
  },
  'teams:read': {
    group: 'people',
    sentence: 'Read which teams there are across the organization',
    mark: wholeOrganization,
  },
  'table:create': { group: 'structure', sentence: 'Create tables in the workspaces below' },
  'table:modify': { group: 'structure', sentence: 'Change the choices of dropdown fields' },
  'rootTable:create': {
    group: 'structure',
    sentence: 'Create tables in the organization itself',
    mark: wholeOrganization,
  },
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** "Kim, Lee or Sam", each name kept apart from the words between them. */
function anyOf(names: readonly string[]): Phrase {
  return list.formatToParts(names).flatMap(({ type, value }) => {
    return type === 'element' ? phrase`${value}` : [value]
  })
}

export const text = {
  language: { code: 'en', direction: 'ltr' },
  day: (date: Date) => day.format(date),

  titles: {
    signIn: 'Sign in',
    chooseOrganization: 'Choose an organization',
    install: 'Install an app',
    askAdmin: 'Ask an admin',
    requestSent: 'Request sent',
    consent: 'Allow access',
    signOut: 'Sign out',
    signedOut: 'Signed out',
    home: 'Home',
    accountApps: 'Connected apps',
    passkeys: 'Passkeys',
    password: 'Password',
    confirm: 'Use a passkey',
    refused: 'No way in',
  },

  organization: organizationText,
  activity: activityText,

  layout: {
    skip: 'Skip to the content',
    navigation: 'Your account',
    connectedApps: 'Connected apps',
    signIn: 'Sign in',
    signOut: 'Sign out',
    reference: 'Reference',
  },

  app: {
    reviewed: 'Reviewed',
    notReviewed: 'Not reviewed',
    site: 'Website',
    thisComputer: (host: string) => `${host} (this computer)`,
  },

  account: {
    label: 'Account',
    notYou: 'Not you?',
    notYouHint: 'Sign out and use another account',
    organization: 'Organization',
    switch: 'Switch',
    switchHint: 'Choose another organization',
  },

  problem: 'There is a problem',

  lists: {
    pages: 'Pages of the list',
    next: 'Next page',
    start: 'Back to the start',
    endHeading: 'The list ends here',
    end: 'What stood here before is gone.',
  },

  decision: {
    returns: (host: string) => phrase`You return to ${host}.`,
    undo: (place: string) => phrase`Undo any time under ${place}.`,
    undoMember: 'Connected apps',
    undoAdmin: 'Apps of the organization',
  },

  permissions: { legacy: legacyPermissions, current: currentPermissions },

  permissionList: {
    legend: 'It will be able to',
    hint: 'Untick what you do not want to allow.',
    always: 'always included',
    none: 'Nothing beyond knowing who you are.',
    fresh: 'New',
    approved: 'Already approved',
    readEverything: 'Read everything in the workspaces below',
    groups: { read: 'Read', write: 'Write', people: 'People', structure: 'Structure' },
    unknown: (name: string): PermissionText => {
      return { group: 'structure', sentence: `Use the permission “${name}”`, mark: 'not described' }
    },
  },

  workspaces: {
    legend: 'In these workspaces',
    all: 'All workspaces, also future ones',
    allHint: 'The single choices below count only when this is not ticked.',
    only: 'Or only these',
    onlyWhenAll: 'Included, as all workspaces are',
    folded: (count: number) => `${count} workspaces`,
    reach: (own: number, total: number) => {
      return `${own} of ${total} ${total === 1 ? 'workspace' : 'workspaces'}`
    },
    approvedBy: (by: string, on: string) => phrase`approved by ${by} on ${on}`,
    allTicked: 'With all of them ticked, workspaces that you join later are included.',
    noneOwn: 'You are not in any workspace that was approved, so there is nothing to read yet.',
    noneYet: 'There is no workspace yet.',
    chooseOne: 'Choose at least one workspace.',
  },

  signIn: {
    heading: 'Sign in',
    continueTo: (app: string) => phrase`to continue to ${app}`,
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    help: 'No account, or no way in? The administrator of your organization can help.',
    wrong: 'E-mail address and password do not match an account.',
    incomplete: 'Enter your e-mail address and your password.',
    again: 'Please sign in once more, so that we know it is you.',
    or: 'or',
    provider: 'Sign in with your company account',
    passkey: 'Use a passkey',
    passkeyFailed: 'The passkey did not work. Try again, or use another way.',
    passkeyCancelled: 'No passkey was used. You can try again.',
    providerOnly: 'Signing in with a password is switched off. Use the button.',
    providerAway: 'The sign-in service does not answer at the moment. Try again in a minute.',
    providerDenied: 'You stopped at the sign-in service, or it did not let you through.',
    providerNotFresh:
      'The sign-in service did not ask you to sign in again, which is needed here. Sign out there first, then try again.',
    providerRefused: 'The sign-in service sent an answer that cannot be used. Start again.',
    providerUnknown:
      'This sign-in took too long, was used already, or began in another browser. Start again.',
    tooMany: (minutes: number) => {
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
      return `Too many attempts. Wait ${wait}, then try again.`
    },
  },

  refusals: {
    disabled: {
      heading: 'Your account is switched off here',
      message: 'The sign-in service knows you, but this account may not come in.',
      move: 'Only an administrator can switch it on again. Give them the reference below.',
    },
    email_missing: {
      heading: 'We did not learn your e-mail address',
      message: 'The sign-in service let you through without saying it, and an account needs one.',
      move: 'An administrator has to allow the sign-in service to pass it on.',
    },
    email_unverified: {
      heading: 'Your e-mail address is not verified yet',
      message: 'The sign-in service has not checked that the address is yours.',
      move: 'Verify it there, then sign in here again.',
    },
    email_taken: {
      heading: 'Your e-mail address belongs to another account here',
      message: 'We do not join accounts that we cannot be sure of, so nothing was changed.',
      move: 'An administrator can sort it out. Give them the reference below.',
    },
  },

  confirm: {
    heading: 'Use a passkey to go on',
    lead: 'Who administers an organization shows more than a password here.',
    use: 'Use a passkey',
    noneHeading: 'Add a passkey to go on',
    none: 'You do not have a passkey yet. It takes a moment: your device asks for your fingerprint, face or PIN.',
    add: 'Add a passkey',
    elsewhere:
      'The passkey is on another device, or lost? An administrator of this server can help.',
    deny: 'Do not install',
    home: 'To the start',
  },

  chooseOrganization: {
    heading: (app: string) => phrase`Where do you want to use ${app}?`,
    legend: 'Your organizations',
    unavailable: 'The app named an organization that you cannot use. Choose one of yours.',
    roles: { admin: 'You are an admin', member: 'You are a member' },
    installed: 'app installed',
    notInstalled: 'app not installed yet',
    submit: 'Continue',
    deny: 'Deny',
    chooseOne: 'Choose an organization.',
    noneHeading: 'You do not belong to an organization yet',
    none: (app: string) => phrase`${app} works with the data of an organization.`,
    noneMove:
      'Ask an admin of yours to add this account, or sign in with the one that they know you by.',
    signInAsOther: 'Use another account',
    back: (app: string) => phrase`Return to ${app}`,
  },

  install: {
    heading: (app: string, organization: string) => phrase`Install ${app} in ${organization}?`,
    lead: 'You decide as an admin. Nobody here can give the app more than you approve now.',
    approve: 'Install',
    deny: 'Deny',
  },

  askAdmin: {
    heading: (app: string, organization: string) => {
      return phrase`${app} is not installed in ${organization}`
    },
    who: (admins: readonly string[]): Phrase => {
      if (admins.length === 0) return ['Only an admin of the organization can install it.']
      return ['Only an admin can install it: ', ...anyOf(admins), '.']
    },
    refused: (on: string) => phrase`Your request was refused on ${on}. You may ask again.`,
    withdrawn: (on: string) => phrase`You withdrew your request on ${on}. You may ask again.`,
    reason: 'What do you need it for?',
    optional: 'optional',
    reasonHint: 'The admins see this with your name and your e-mail address.',
    request: 'Ask an admin',
    again: 'Ask again',
    deny: 'Go back',
  },

  requestSent: {
    heading: 'Your request is with the admins',
    lead: (app: string, organization: string) => {
      return phrase`You asked to have ${app} installed in ${organization}.`
    },
    next: 'What happens next',
    seen: (admins: readonly string[]): Phrase => {
      if (admins.length === 0) return ['An admin finds it under the apps of the organization.']
      return [...anyOf(admins), ' will find it under the apps of the organization.']
    },
    answered: 'They install the app, or they do not. They may also write to you first.',
    afterwards: (app: string) =>
      phrase`Once it is installed, check again here, or start again from ${app}.`,
    tryAgain: 'Check again',
    asked: (on: string) => phrase`You asked on ${on}. If you no longer need it, take it back.`,
    withdraw: 'Withdraw the request',
    back: (app: string) => phrase`Return to ${app}`,
  },

  consent: {
    heading: (app: string, organization: string) => {
      return phrase`${app} wants to use ${organization} with your account`
    },
    approve: 'Allow',
    deny: 'Deny',
  },

  signOut: {
    heading: 'Sign out?',
    lead: 'Apps that you connected keep working. You can disconnect them under Connected apps.',
    submit: 'Sign out',
    stay: 'Stay signed in',
  },

  signedOut: {
    heading: 'You are signed out',
    lead: 'On a shared computer, close the browser window as well.',
    signIn: 'Sign in again',
  },

  home: {
    heading: (brand: string) => phrase`${brand}`,
    lead: 'Here you decide which apps may work with your data, and take it back again.',
    signedOut: 'Sign in to see the apps that you connected.',
    signIn: 'Sign in',
    welcome: (name: string) => phrase`Hello ${name}`,
    yours: 'Yours',
    connectedApps: 'Connected apps',
    connectedAppsHint: 'What you allowed, since when, and how to stop it',
    passkeys: 'Passkeys',
    passkeysHint: 'Sign in with your fingerprint, face or PIN',
    password: 'Password',
    passwordHint: 'Change it, and sign out everywhere else',
    administered: 'Organizations that you administer',
    organizationHint: 'Installed apps, requests and key sets',
  },

  accountApps: {
    heading: 'Connected apps',
    lead: 'These apps may act for you. Each one reaches no more than you do.',
    emptyHeading: 'No app is connected',
    empty: 'An app appears here once you allow it to use your account.',
    home: 'Back to the start',
    inOrganization: (organization: string) => phrase`in ${organization}`,
    may: 'It may',
    where: 'In',
    everywhere: 'Every workspace of yours that the organization approved',
    nowhere: 'No workspace',
    since: 'Connected',
    lastUsed: 'Last used',
    never: 'never',
    disconnect: 'Disconnect',
    consequence: (app: string, organization: string) => {
      return phrase`${app} can no longer reach ${organization} as you, from this moment on. What it has copied stays with it. Nobody else is affected, and you can allow it again later.`
    },
    confirm: (app: string) => phrase`Disconnect ${app}`,
    disconnected: 'The app is disconnected.',
  },

  accountTabs: {
    label: 'Account pages',
    apps: 'Apps',
    passkeys: 'Passkeys',
    password: 'Password',
  },

  passkeys: {
    heading: 'Passkeys',
    lead: 'A passkey signs you in with your fingerprint, face or PIN. It cannot be guessed, and no look-alike site can ask for it.',
    needsScript: 'Adding and using a passkey needs JavaScript and a browser that knows passkeys.',
    unavailable:
      'Passkeys do not work here: they need an address with https and a host name. The operator of this server can change that.',
    providerOnly: 'Passkeys are switched off: you sign in through the sign-in service.',
    yours: 'Yours',
    none: 'You have no passkey yet.',
    added: 'Added',
    lastUsed: 'Last used',
    never: 'never',
    addHeading: 'Add a passkey',
    name: 'Name',
    nameHint: 'So that you can tell it apart, such as “Laptop”.',
    add: 'Add',
    rename: 'Rename',
    remove: 'Remove',
    consequence: (name: string) => {
      return phrase`${name} no longer signs you in, from this moment on. Your device may keep it in its list.`
    },
    confirm: (name: string) => phrase`Remove ${name}`,
    stale: 'To add or remove a passkey, sign in again: it was more than ten minutes ago.',
    signInAgain: 'Sign in again',
    unconfirmed: 'To add or remove a passkey, use one that you have.',
    useOne: 'Use a passkey',
    continue: 'Continue',
    notices: {
      added: 'The passkey is added.',
      renamed: 'The passkey has its new name.',
      removed: 'The passkey is removed.',
    },
    faults: {
      name: 'Give the passkey a name of at most 100 characters.',
      not_verified: 'The passkey could not be added. Try again.',
      too_many: 'This passkey is here already, or you have twenty. Remove one first.',
    },
    failed: 'The passkey could not be added. Perhaps this device has one for you already.',
  },

  password: {
    heading: 'Password',
    lead: 'Changing it signs you out everywhere else and disconnects every app. You connect an app again by signing in from it.',
    none: 'This account has no password here. You sign in another way.',
    current: 'Current password',
    next: 'New password',
    nextHint: 'At least 8 characters. A few words are easier than signs.',
    submit: 'Change the password',
    changed: 'The password is changed. You are signed out everywhere else.',
    wrong: 'The current password is not right.',
    unusable: 'The new password needs 8 to 1000 characters.',
  },

  error: {
    reference: 'Reference',
    forDevelopers: 'For the developer of the app',
    code: 'Error',
    description: 'Description',
    hints: 'Hints',
    home: 'To the start',
    signIn: 'Sign in',
    tryAgain: 'Try again',
    loadAgain: 'Load the page again',
    request: {
      heading: 'This app sent a request that does not work',
      message: 'The link from the app is incomplete or wrong, so nothing was shared.',
      move: 'Only the developer of the app can correct it. Give them the reference below.',
    },
    unknownApp: {
      heading: 'This app is not known here',
      message: 'No app is registered under the id that was sent, so nothing was shared.',
      move: 'Go back to the app and tell its developer, with the reference below.',
    },
    redirectUri: {
      heading: 'This app wants to send you to a place it did not register',
      message: 'We stopped here to protect your account. Nothing was shared.',
      move: 'The developer of the app has to register the address or correct the link.',
    },
    otherOrganization: 'Choose another organization',
    suspended: {
      heading: 'This app is suspended here',
      message: 'An admin of the organization has put the app on hold, so it gets no access now.',
      move: 'Ask an admin of the organization, or choose another one.',
    },
    expired: {
      heading: 'This took too long',
      message: 'The request of the app has expired or was already answered.',
      move: 'Go back to the app and start again from there.',
    },
    form: {
      heading: 'This form could not be accepted',
      message:
        'You signed in or out in another tab since it was loaded, or it was sent from another site. Nothing was changed.',
      move: 'Load the page again and repeat the step.',
    },
    notFound: {
      heading: 'There is nothing here',
      message: 'The page does not exist, or it is not yours to see.',
      move: 'Check the address, or use another account.',
    },
    tooMany: {
      heading: 'That was too often',
      message: 'There were too many requests in a short time.',
      move: 'Wait a minute, then try again.',
    },
    unavailable: {
      heading: 'We cannot answer at the moment',
      message: 'A part of this service is out of reach. Nothing was changed.',
      move: 'It is ours to repair. Try again in a minute.',
    },
    server: {
      heading: 'Something went wrong on our side',
      message: 'The step was not completed.',
      move: 'Try again. If it happens twice, send us the reference below.',
    },
  },
}

export type Text = typeof text
