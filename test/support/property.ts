import fc from 'fast-check'
import type { Test } from 'tap'

/**
 * The seed of random input: constant, so that failures repeat; `LATCHKEY_TEST_SEED` sets another.
 */
export const seed = Number(process.env.LATCHKEY_TEST_SEED ?? 76_366_749)

/** Factor for the number of random inputs, from `LATCHKEY_TEST_EFFORT`. */
export const effort = Number(process.env.LATCHKEY_TEST_EFFORT ?? 1)

/** Whether all of a generated table is due: at night, or with more effort than by day. */
export const isNight = Boolean(process.env.LATCHKEY_TEST_NIGHTLY) || effort > 1

/**
 * One in `every` of many similar cases by day, all of them at night.
 * @param nth moves the choice, so that neighbours (operations, fields) try different cases
 */
export const byDay = <Case>(cases: Case[], every: number, nth = 0): Case[] =>
  isNight ? cases : cases.filter((_, at) => (at + nth + seed) % every === 0)

/** A property holds for random inputs; a failure reports the smallest one found, and the seed. */
export const holds = <Input>(
  t: Test,
  name: string,
  property: fc.IRawProperty<Input>,
  runs = 400,
): void =>
  void t.test(name, async (t) => {
    await fc.assert(property as fc.IAsyncProperty<Input>, { seed, numRuns: runs * effort })
    t.pass(`${runs * effort} random inputs`)
  })

/** The same text with one character inserted, removed or changed. */
export const mutated = (text: string, alphabet = 'aZ09_-.=%+/ \0é'): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(text.length),
      how: fc.constantFrom('insert', 'delete', 'change', 'flip', 'append'),
      character: fc.constantFrom(...alphabet),
    })
    .map(({ at, how, character }) => {
      const [before, rest] = [text.slice(0, at), text.slice(at)]
      const first = rest.slice(0, 1)
      const flipped = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()
      switch (how) {
        case 'insert':
          return before + character + rest
        case 'delete':
          return before + rest.slice(1)
        case 'change':
          return before + character + rest.slice(1)
        case 'flip':
          return before + flipped + rest.slice(1)
        default:
          return text + character
      }
    })
    .filter((changed) => changed !== text)

/** Any text, often built from these pieces. */
export const textOf = (...pieces: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 12 })
      .map((parts) => parts.join('')),
  )
