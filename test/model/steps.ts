import fc from 'fast-check'

/** The requested scope: everything, a part of the approval, or more. */
export type Wish = 'all' | 'part' | 'more permissions' | 'more workspaces'

/**
 * One step. Numbers select an existing object (`family`, `app` …) or, as bits, a part of a list
 * (`mask`); `at` is the instance.
 */
export type Step =
  | { do: 'authorize'; user: number; app: number; mask: number }
  | { do: 'redeem'; family: number; wish: Wish; mask: number; at: number }
  | { do: 'redeem all'; at: number }
  | { do: 'replay'; family: number; back: number; wish: Wish; mask: number; at: number }
  | { do: 'race'; family: number; at: number }
  | { do: 'wrong secret'; family: number; at: number }
  | { do: 'wrong proof'; family: number; at: number }
  | { do: 'steal'; family: number; app: number; at: number }
  | { do: 'machine'; app: number; wish: Wish; mask: number; at: number }
  | { do: 'install'; app: number; mask: number; everywhere: boolean }
  | { do: 'uninstall'; app: number }
  | { do: 'suspend'; app: number; on: boolean }
  | { do: 'app permissions'; app: number; mask: number }
  | { do: 'disable app'; app: number; on: boolean }
  | { do: 'rotate'; app: number }
  | { do: 'disable user'; user: number; on: boolean }
  | { do: 'membership'; user: number; on: boolean }
  | { do: 'workspace'; user: number; workspace: number; on: boolean }
  | { do: 'disconnect'; user: number; app: number }
  | { do: 'revoke refresh token'; family: number; back: number; app: number; at: number }
  | { do: 'revoke access token'; token: number; app: number; at: number }

type Kind = Step['do']
type Of<K extends Kind> = Extract<Step, { do: K }>

const some = fc.nat(7)
const at = fc.nat(1)
const mask = fc.nat(255)
const on = fc.boolean()
const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Wish>('all') },
  { weight: 1, arbitrary: fc.constantFrom<Wish>('part', 'more permissions', 'more workspaces') },
)
// Mostly a valid refresh, so that families live long enough.
const rarely = fc.nat(3).map((one) => one === 3)

const step = <K extends Kind>(
  weight: number,
  kind: K,
  fields: { [F in keyof Omit<Of<K>, 'do'>]: fc.Arbitrary<Of<K>[F & keyof Of<K>]> },
) => ({
  weight,
  arbitrary: fc.record(
    { do: fc.constant(kind), ...fields },
    { noNullPrototype: true },
  ) as unknown as fc.Arbitrary<Step>,
})

const anyStep = fc.oneof(
  step(10, 'authorize', { user: some, app: some, mask }),
  step(24, 'redeem', { family: some, wish, mask, at }),
  step(4, 'replay', { family: some, back: some, wish, mask, at }),
  step(2, 'race', { family: some, at }),
  step(2, 'wrong secret', { family: some, at }),
  step(2, 'wrong proof', { family: some, at }),
  step(2, 'steal', { family: some, app: some, at }),
  step(4, 'machine', { app: some, wish, mask, at }),
  step(5, 'install', { app: some, mask, everywhere: on }),
  step(2, 'uninstall', { app: some }),
  step(4, 'suspend', { app: some, on: rarely }),
  step(3, 'app permissions', { app: some, mask }),
  step(3, 'disable app', { app: some, on: rarely }),
  step(2, 'rotate', { app: some }),
  step(4, 'disable user', { user: some, on }),
  step(4, 'membership', { user: some, on }),
  step(4, 'workspace', { user: some, workspace: some, on }),
  step(2, 'disconnect', { user: some, app: some }),
  step(2, 'revoke refresh token', { family: some, back: some, app: some, at }),
  step(2, 'revoke access token', { token: some, app: some, at }),
)

/**
 * A sequence that chance seldom produces: something is removed, all users notice, and it returns.
 */
const absence = fc
  .record({
    user: some,
    app: some,
    at,
    what: fc.constantFrom('disabled', 'left', 'suspended', 'uninstalled', 'app disabled'),
  })
  .map(({ user, app, at, what }): Step[] => {
    const missed: Step = { do: 'redeem all', at }
    const install: Step = { do: 'install', app, mask: 255, everywhere: true }
    switch (what) {
      case 'disabled':
        return [
          { do: 'disable user', user, on: true },
          missed,
          { do: 'disable user', user, on: false },
        ]
      case 'left':
        return [{ do: 'membership', user, on: false }, missed, { do: 'membership', user, on: true }]
      case 'suspended':
        return [{ do: 'suspend', app, on: true }, missed, { do: 'suspend', app, on: false }]
      case 'uninstalled':
        return [{ do: 'uninstall', app }, missed, install]
      default:
        return [{ do: 'disable app', app, on: true }, missed, { do: 'disable app', app, on: false }]
    }
  })

/** A day: steps in any order, about half of the maximal number. */
export const days = (longest: number): fc.Arbitrary<Step[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 24, arbitrary: anyStep.map((step) => [step]) },
        { weight: 1, arbitrary: absence },
      ),
      { minLength: 1, maxLength: longest, size: 'max' },
    )
    .map((parts) => parts.flat())
