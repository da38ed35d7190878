/** English: what is new and gives access. */
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
    return phrase`${actor} made the key set ${client} of ${organization}`
  },
  'key_set.rotated': ({ actor, client, organization }) => {
    return phrase`${actor} made a new secret for the key set ${client} of ${organization}`
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
    doubt: 'Not you, or nobody you know? End sessions that you do not recognise under',
    dismiss: 'I have read this',
  },
}
