/** English: whether a secret of a key set is in use or safe to end. */
import { message } from '../message.ts'

export const secretStandings = {
  only: 'Active',
  newest: 'The newest; keep this one',
  inUse: message('Still used, last on {when}; not safe to end', 'when'),
  resting: message(
    'Last used on {when}, before the newer one was created; safe to end once every program that used it has run again',
    'when',
  ),
  waiting: 'The newer one was not used yet; not safe to end',
  replaced: message(
    'Safe to end: the newer one is in use, and this one {when, select, none {was never used} other {was last used on {when}}}',
    'when',
  ),
  unused: message(
    '{everUsed, select, true {Safe to end: not used for {days, plural, one {# day} other {# days}}} other {Safe to end: never used since it was created {days, plural, one {# day} other {# days}} ago}}',
    'days',
    'everUsed',
  ),
  endless: message(
    'Tokens without an expiry date were seen, last on {on}. A new secret ends them.',
    'on',
  ),
}
