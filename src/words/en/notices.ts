/** English: notices of new passkeys, secrets and installs. */
import { sentenceOf, type Words } from '../message.ts'
import type { Phrase } from '../phrase.ts'

export interface Names {
  actor: string
  client: string
  organization: string
  day: string
  /** null: not known */
  address: string | null
}

const sentence = sentenceOf<Names>()

const sentences: Record<
  'passkey.added' | 'key_set.created' | 'key_set.rotated' | 'install.approved',
  Words<[names: Names], Phrase>
> = {
  'passkey.added': sentence(
    'A passkey was added on {day}{address, select, none {} other { from {address}}}.',
  ),
  'key_set.created': sentence(
    '{actor} created the key {client} of {organization} on {day}{address, select, none {} other { from {address}}}.',
  ),
  'key_set.rotated': sentence(
    '{actor} created a new secret for the key {client} of {organization} on {day}{address, select, none {} other { from {address}}}.',
  ),
  'install.approved': sentence(
    '{actor} installed {client} in {organization} on {day}{address, select, none {} other { from {address}}}.',
  ),
}

export const notices = {
  notices: {
    label: 'New since you last looked',
    you: 'You',
    sentences,
    doubt: 'Unexpected? End unknown sessions under',
    dismiss: 'I have read this',
  },
}
