import t from 'tap'
import type { Account, AccountCandidates } from '../../../src/core/people/identities.ts'
import { decideSignIn } from '../../../src/core/people/identities.ts'
import type { ProviderUser } from '../../../src/core/people/provider-claims.ts'

const origin = {
  actor: { kind: 'anonymous', id: null },
  address: '192.0.2.1',
  requestId: 'req_1',
} as const

const arrival = (part: Partial<ProviderUser> = {}): ProviderUser => ({
  issuer: 'https://id.example',
  subject: 's1',
  email: 'ana@acme.test',
  emailVerified: true,
  name: 'Ana',
  authenticatedAt: null,
  ...part,
})
const account = (part: Partial<Account> = {}): Account => ({
  id: 'usr1',
  email: 'ana@acme.test',
  name: 'Ana',
  credentialsEpoch: 0,
  sessionsEpoch: 0,
  disabled: false,
  ...part,
})
const nobody: AccountCandidates = { known: null, sameEmail: null }
const free = { ...account(), claimed: false }
const other = { ...account({ id: 'usr2' }), claimed: false }
const unverified = { emailVerified: false }

const decide = (
  part: Partial<ProviderUser>,
  candidates: Partial<AccountCandidates>,
  requireVerifiedEmail = true,
) => decideSignIn(arrival(part), { ...nobody, ...candidates }, { requireVerifiedEmail }, origin)

t.test('finds the account for a user from the provider', async (t) => {
  type Row = [what: string, ReturnType<typeof decide>, expected: Record<string, unknown>]
  const rows: Row[] = [
    ['new', decide({}, {}), { fresh: 'user', user: { email: 'ana@acme.test', name: 'Ana' } }],
    ['new, no name', decide({ name: null }, {}), { user: { name: 'ana@acme.test' } }],
    ['new, unverified', decide(unverified, {}), { refusal: 'email_unverified' }],
    ['the same, allowed', decide(unverified, {}, false), { fresh: 'user' }],
    ['no address', decide({ email: null }, {}), { refusal: 'email_missing' }],
    ['not an address', decide({ email: 'ana' }, {}), { refusal: 'email_missing' }],
    ['other letters', decide({ email: 'zoë@acme.test' }, {}), { refusal: 'email_unusable' }],
    [
      'an IDN domain',
      decide({ email: 'Ana@Bücher.test', name: 'علی\u200cرضا' }, {}),
      { fresh: 'user', user: { email: 'ana@xn--bcher-kva.test', name: 'علی\u200cرضا' } },
    ],
    ['verified, known address', decide({}, { sameEmail: free }), { fresh: 'identity' }],
    [
      'case does not matter',
      decide({ email: ' ANA@acme.TEST' }, { sameEmail: free }),
      { fresh: 'identity', user: { email: 'ana@acme.test' } },
    ],
    ['unverified, known address', decide(unverified, { sameEmail: free }), { kind: 'refused' }],
    [
      'the same, allowed',
      decide(unverified, { sameEmail: free }, false),
      { refusal: 'email_taken', userId: 'usr1' },
    ],
    [
      'an address of another user of the provider',
      decide({}, { sameEmail: { ...free, claimed: true } }),
      { refusal: 'email_taken' },
    ],
    [
      'the account is disabled',
      decide({}, { sameEmail: { ...free, disabled: true } }),
      { refusal: 'disabled' },
    ],
    ['known', decide({}, { known: account() }), { fresh: null, events: [] }],
    [
      'known and disabled',
      decide({}, { known: account({ disabled: true }) }),
      { refusal: 'disabled', userId: 'usr1' },
    ],
    [
      'known, new address',
      decide({ email: 'new@acme.test' }, { known: account() }),
      { user: { email: 'new@acme.test' }, events: [{ type: 'user.changed' }] },
    ],
    [
      'known, new address, unverified',
      decide({ email: 'new@acme.test', ...unverified }, { known: account() }),
      { user: { email: 'ana@acme.test' }, events: [] },
    ],
    [
      'known, address of another account',
      decide({}, { known: account({ email: 'old@acme.test' }), sameEmail: other }),
      {
        user: { id: 'usr1', email: 'old@acme.test' },
        events: [{ type: 'identity.email_conflict' }],
      },
    ],
    ['known, no address', decide({ email: null }, { known: account() }), { fresh: null }],
    [
      'a name that changes the text direction',
      decide({ name: 'a\u202eb' }, { known: account() }),
      { user: { name: 'Ana' } },
    ],
    ['a name too long', decide({ name: 'x'.repeat(101) }, {}), { user: { name: 'ana@acme.test' } }],
  ]
  for (const [what, decision, expected] of rows) t.match(decision, expected, what)
})
