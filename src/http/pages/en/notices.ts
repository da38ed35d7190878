/** English: notices of new passkeys, secrets and installs. */
import { type Phrase, phrase } from './phrase.ts'

export interface Names {
  actor: string
  client: string
  organization: string
}

const sentences: Record<
  'passkey.added' | 'key_set.created' | 'key_set.rotated' | 'install.approved',
  (names: Names) => Phrase
> = {
  'passkey.added': () => ['A passkey was added to your account'],
  'key_set.created': ({ actor, client, organization }) => {
    return phrase`${actor} created the key set ${client} of ${organization}`
  },
  'key_set.rotated': ({ actor, client, organization }) => {
    return phrase`${actor} created a new secret for the key set ${client} of ${organization}`
  },
  'install.approved': ({ actor, client, organization }) => {
    return phrase`${actor} installed ${client} in ${organization}`
  },
}

export const notices = {
  notices: {
    label: 'New since you last looked',
    you: 'You',
    sentences,
    when: (day: string, address: string | null): Phrase => {
      return address === null ? [` on ${day}.`] : phrase` on ${day} from ${address}.`
    },
    doubt: 'Was this not you or a person you know? End sessions that you do not recognise under',
    dismiss: 'I have read this',
  },
}
