/** English: the pages of the user's own account. */
import { phrase } from './phrase.ts'

export const account = {
  home: {
    heading: (brand: string) => phrase`${brand}`,
    lead: 'Here you decide which apps may use your data, and you can disconnect them again.',
    signedOut: 'Sign in to see the apps that you connected.',
    signIn: 'Sign in',
    welcome: (name: string) => phrase`Hello ${name}`,
    yours: 'Yours',
    connectedApps: 'Connected apps',
    connectedAppsHint: 'See what each app may do, and disconnect it',
    sessions: 'Sessions',
    sessionsHint: 'See where you are signed in, and sign out there',
    passkeys: 'Passkeys',
    passkeysHint: 'Sign in with your fingerprint, face or PIN',
    password: 'Password',
    passwordHint: 'Change it, and sign out everywhere else',
    developer: 'As the maker of an app',
    ownedApps: 'Apps you maintain',
    ownedAppsHint: 'See how they are registered, and replace their secrets',
    administered: 'Organizations that you administer',
    organizationHint: 'Installed apps, requests and key sets',
    guide: 'Guide for admins',
    documentation: 'Documentation',
  },

  accountApps: {
    heading: 'Connected apps',
    lead: 'These apps may act for you. Each one reaches no more than you do.',
    emptyHeading: 'No app is connected',
    empty: 'An app appears here once you allow it to use your account.',
    home: 'Home',
    inOrganization: (organization: string) => phrase`in ${organization}`,
    may: 'It may',
    where: 'In',
    everywhere: 'Every workspace of yours that the organization approved',
    nowhere: 'No workspace',
    actors: 'Other apps that act for you through it',
    since: 'Connected',
    lastUsed: 'Last used',
    never: 'never',
    movedFrom: (app: string) => {
      return phrase`It continues with the access that you gave ${app}, an earlier version of it.`
    },
    disconnect: 'Disconnect',
    consequence: (app: string, organization: string) => {
      return phrase`${app} loses access to ${organization} as you at once. It keeps data that it has copied. Other people are not affected, and you can allow it again later.`
    },
    confirm: (app: string) => phrase`Disconnect ${app}`,
    disconnected: 'The app is disconnected.',
  },

  accountTabs: {
    label: 'Account pages',
    apps: 'Connected apps',
    sessions: 'Sessions',
    passkeys: 'Passkeys',
    password: 'Password',
    developer: 'Apps you maintain',
  },

  sessions: {
    heading: 'Sessions',
    lead: 'You are signed in on these browsers. If you do not recognise one, end it and change your password.',
    current: 'This one',
    since: 'Signed in',
    lastSeen: 'Last seen',
    end: 'End',
    endOthers: 'End all other sessions',
    othersHint: 'You stay signed in here and are signed out everywhere else.',
    ended: 'The session has ended.',
    othersEnded: 'All other sessions have ended.',
    gone: 'This session had already ended.',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} on ${system}`
      return browser ?? (system ? `A browser on ${system}` : 'An unknown browser')
    },
    methods: (methods: readonly ('password' | 'passkey' | 'oidc')[]) => {
      const names = { password: 'password', passkey: 'passkey', oidc: 'sign-in service' }
      return `With ${methods.map((one) => names[one]).join(' and ')}`
    },
    ago: (minutes: number) => {
      if (minutes < 1) return 'just now'
      if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
      const hours = Math.floor(minutes / 60)
      return hours === 1 ? 'an hour ago' : `${hours} hours ago`
    },
  },

  passkeys: {
    heading: 'Passkeys',
    lead: 'A passkey signs you in with your fingerprint, face or PIN. It cannot be guessed, and it does not work on look-alike sites.',
    needsScript:
      'Adding and using a passkey needs JavaScript and a browser that supports passkeys.',
    unavailable:
      'Passkeys do not work here because they need an https address with a host name. The operator of this server can change that.',
    providerOnly: 'Passkeys are switched off: you sign in through the sign-in service.',
    yours: 'Yours',
    none: 'You have no passkey yet.',
    added: 'Added',
    lastUsed: 'Last used',
    never: 'never',
    addHeading: 'Add a passkey',
    name: 'Name',
    nameHint: 'A name to recognise it by, such as “Laptop”.',
    add: 'Add',
    rename: 'Rename',
    remove: 'Remove',
    consequence: (name: string) => {
      return phrase`${name} no longer signs you in, and sessions that began with it end at once. Your device may keep it in its list.`
    },
    confirm: (name: string) => phrase`Remove ${name}`,
    stale: 'Your last sign-in was too long ago. Sign in again to add or remove a passkey.',
    signInAgain: 'Sign in again',
    unconfirmed: 'Use one of your passkeys first. Then you can add or remove a passkey.',
    useOne: 'Use a passkey',
    continue: 'Continue',
    notices: {
      added: 'The passkey is added.',
      renamed: 'The passkey has its new name.',
      removed: 'The passkey is removed.',
    },
    faults: {
      name: 'Give the passkey a name of at most 100 characters.',
      gone: 'This passkey no longer exists. The list shows your current passkeys.',
      not_verified: 'The passkey could not be added. Try again.',
      too_many: 'This passkey was already added, or you have twenty. Remove one first.',
    },
    failed: 'The passkey could not be added. Perhaps this device already has one for you.',
  },

  password: {
    heading: 'Password',
    lead: 'Changing it signs you out everywhere else and disconnects every app. You connect an app again by signing in from it.',
    none: 'This account has no password here. You sign in another way.',
    current: 'Current password',
    next: 'New password',
    nextHint: 'At least 8 characters, not your name or address. A few words are easier than signs.',
    passkeys: 'Also remove these passkeys',
    passkeysHint:
      'Tick those that you do not recognise, or all if another person may have used your account.',
    submit: 'Change the password',
    changed: 'The password is changed. You are signed out everywhere else.',
    wrong: 'The current password is not right.',
    unusable:
      'Choose another new password: 8 to 1000 characters, not your e-mail address or name, and not a common password.',
  },
}
