/** English: the steps between the request of an app and the return to it. */
import { type Phrase, phrase } from './phrase.ts'

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const mostNamed = 5

const both = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** "Files and Tables", with each name isolated from the words. */
function allOf(names: readonly string[]): Phrase {
  return both.formatToParts(names).flatMap(({ type, value }) => {
    return type === 'element' ? phrase`${value}` : [value]
  })
}

/** "Kim, Lee or Sam", with each name isolated from the words. Long lists are shortened. */
function anyOf(names: readonly string[]): Phrase {
  if (names.length > mostNamed) {
    const named = names.slice(0, mostNamed).flatMap((name) => [...phrase`${name}`, ', '])
    return [...named.slice(0, -1), ' or another admin']
  }
  return list.formatToParts(names).flatMap(({ type, value }) => {
    return type === 'element' ? phrase`${value}` : [value]
  })
}

export const steps = {
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
    noneMove: 'Ask an admin to add this account, or sign in with the account that they know.',
    signInAsOther: 'Use another account',
  },

  install: {
    heading: (app: string, organization: string) => phrase`Install ${app} in ${organization}?`,
    lead: 'No member can give the app more than you approve now.',
    identity: (name: boolean, email: boolean) => {
      const shared = [...(name ? ['their name'] : []), ...(email ? ['their e-mail address'] : [])]
      const more = shared.length === 0 ? '' : `, with ${shared.join(' and ')}`
      return `It also asks each person, when they allow it, to share who they are${more}.`
    },
    approve: 'Install',
    deny: 'Cancel',
  },

  installLink: {
    stays: 'Then you see the apps of the organization.',
    back: 'Back to the directory',
  },

  installed: {
    heading: (app: string, organization: string) => {
      return phrase`${app} is already installed in ${organization}`
    },
    since: (on: string) => phrase`Installed on ${on}. Nothing changes.`,
    lead: (app: string) => phrase`Continue to set up ${app} for this organization.`,
    submit: 'Continue',
    deny: 'Cancel',
    member: 'Only an admin can set it up. Ask an admin to open the link.',
  },

  askAdmin: {
    heading: (app: string, organization: string) => {
      return phrase`Ask an admin to install ${app} in ${organization}?`
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
  },

  requestSent: {
    heading: 'Your request is with the admins',
    lead: (app: string, organization: string) => {
      return phrase`You asked to have ${app} installed in ${organization}.`
    },
    /** Without mail: the admins find the request on their page. */
    seen: (admins: readonly string[]): Phrase => {
      if (admins.length === 0) return ['An admin finds it under the apps of the organization.']
      return [...anyOf(admins), ' will find it under the apps of the organization.']
    },
    /** With mail. */
    told: (admins: readonly string[]): Phrase => {
      if (admins.length === 0) return ['We told the admins.']
      return ['We told ', ...allOf(admins), '.']
    },
    link: 'Link for an admin',
    linkHint: 'Send it to an admin of the organization. It opens the request.',
    tryAgain: 'Check again',
    asked: (on: string) =>
      phrase`You asked on ${on}. If you no longer need the app, withdraw the request.`,
    withdraw: 'Withdraw the request',
  },

  consent: {
    heading: (app: string, organization: string) => {
      return phrase`Allow ${app} to use ${organization} with your account?`
    },
    /** The data APIs by their names; null: the platform's own. */
    apis: (names: readonly (string | null)[]): Phrase => {
      const known = names.map((name) => name ?? 'the API of this platform')
      return ['It asks for access to ', ...allOf([...new Set(known)]), '.']
    },
    approve: 'Allow',
    deny: 'Deny',
  },

  backToApp: {
    heading: 'Back to the app',
    lead: 'Your answer is ready. The app gets it as soon as you continue.',
    submit: 'Continue',
    close: 'Your answer is ready. You can close this window.',
  },
}
