// What a takeover loses, counted by app or person and reason.
import { withoutHidden } from '../../core/language/display-text.ts'

/** Each reason with its sentence; `of` is the detail. */
const reasons = {
  client_id: () =>
    'The app is not taken over: its client id has characters that one cannot have here.',
  grant_type: (of: string) => `The grant type ${of} is not supported here.`,
  client_credentials: () =>
    'Requests with client_credentials fail: they need organization_id here, on the current interface.',
  scope: (of: string) => `The scope ${of} has no counterpart: name one with --scope-map.`,
  secret: (of: string) => `The secret is not taken over: ${of}. The app needs a new one.`,
  redirect_uri: (of: string) => `People cannot connect with this redirect URI: ${of}.`,
  reuse: () =>
    'The app presents a refresh token more than once. Here the second use ends the authorization.',
  unknown_app: () => 'Grants of no app, or of one that does not exist, are not taken over.',
  no_person: () => 'Grants of no person, or of one who does not exist, are not taken over.',
  disabled: () => 'Grants of disabled people end.',
  lost_person: () => 'Grants of people who are not taken over end.',
  no_organization: () => 'Grants of people without an organization are not taken over.',
  too_many: (of: string) => `Of one person's grants, only the newest ${of} are taken over.`,
  refused: (of: string) => `The server refused a line: ${of}.`,
  id: () => 'The person is not taken over: the id has characters that one cannot have here.',
  address: (of: string) => `The person is not taken over: the e-mail address ${of}.`,
  password: () => 'The person needs a new password: its hash is of a form that is not taken.',
  organization: (of: string) =>
    `The person is not in the organization ${of}: only the first counts.`,
} satisfies Record<string, (of: string) => string>

export type Reason = keyof typeof reasons

/** Each other reason counts grants or lines. */
const once: readonly Reason[] = ['scope', 'client_credentials', 'grant_type']

export interface Loss {
  reason: Reason
  detail: string | null
  count: number
  sentence: string
}

/** Text of the old store must not move the cursor, and must not be Markdown. */
export const shownText = (text: string) =>
  withoutHidden(text, '\u{fffd}').replace(/\p{Cc}/gu, '\u{fffd}')

/** People and lines that are named one by one. Memory must not grow with the store. */
export const mostNamed = 10_000
const others = '…'

/** Losses by client id, by `user <id>`, or null for neither. */
export const createLosses = () => {
  const byOwner = new Map<string | null, Map<string, Omit<Loss, 'sentence'>>>()
  let named = 0

  const lose = (owner: string | null, reason: Reason, text: string | null = null): void => {
    const detail = text === null ? null : shownText(text)
    const own = byOwner.get(owner) ?? new Map<string, Omit<Loss, 'sentence'>>()
    const known = own.get(`${reason} ${detail}`)
    if (known) {
      if (!once.includes(reason)) known.count++
      return
    }
    const isOfApp = owner !== null && !owner.startsWith('user ')
    if (!isOfApp && detail !== others && ++named > mostNamed) lose(null, reason, others)
    else byOwner.set(owner, own.set(`${reason} ${detail}`, { reason, detail, count: 1 }))
  }

  const of = (owner: string | null): Loss[] =>
    [...(byOwner.get(owner)?.values() ?? [])].map((loss) => ({
      ...loss,
      sentence: reasons[loss.reason](loss.detail ?? ''),
    }))

  return {
    lose,
    of,
    ofPeople: () =>
      [...byOwner.keys()].flatMap((owner) =>
        owner?.startsWith('user ')
          ? of(owner).map((loss) => ({ user: owner.slice(5), ...loss }))
          : [],
      ),
    any: () => byOwner.size > 0,
  }
}

export type Losses = ReturnType<typeof createLosses>
