// How many guesses a password withstands, by the idea of zxcvbn (Wheeler, USENIX Security 2016): the cheapest way to put it
// together from words, sequences, repetitions, dates and single characters. Costs are decimal logarithms.

export type Weakness = 'common' | 'personal' | 'service' | 'pattern'

/** Guessable words, in lower case. */
export interface GuessableWords {
  /** With its rank, from 1. */
  common: ReadonlyMap<string, number>
  personal: ReadonlySet<string>
  service: ReadonlySet<string>
}

/** A password of fewer guesses is refused: 10^6.5, what a limited guesser reaches in years. */
const fewest = 6.5
/** Longer passwords are judged by their beginning. */
const longestJudged = 64
const longestWord = 40
const shortestWord = { common: 4, named: 3 }
const longestBlock = 8
const cost = { digit: 1.1, sign: 0.7, other: 1.3, capital: 0.3, leet: 0.7, reversed: 0.9 }
/** Cost of a further word, and of a repetition. */
const next = 0.5
const named = { ofCharacter: 0.35, most: 2 }
const mostOfRun = 3.5
const year = { recent: 1.8, other: 2.2 }
const date = 4
/** Of each digit in a common number: a random number has many of them in it. */
const digitOfNumber = 0.75

/** Characters in the order of the alphabet's keys, rows and columns, one after the other. */
const keyboards = [
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  '1234567890qwertzuiopüasdfghjklöäyxcvbnm',
  '1234567890azertyuiopqsdfghjklmwxcvbn',
  "',.pyfgcrlaoeuidhtns;qjkxbmwvz",
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6z7u8i9o0p',
  'qawsedrftgyhujikolp',
  '!@#$%^&*()',
  '!"§$%&/()=',
  '147258369',
  '741852963',
  'йцукенгшщзхъфывапролджэячсмитьбю',
].map((keys) => new Map([...keys].map((key, at) => [key, at])))

const leetLetters: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'l', '(': 'c', '€': 'e' },
}
const leetOf = (characters: readonly string[], one: 'i' | 'l') =>
  characters.map((character) => (character === '1' ? one : (leetLetters[character] ?? character)))

const years = '(?:19|20)\\d\\d'
const [month, day] = ['(?:0[1-9]|1[0-2])', '(?:0[1-9]|[12]\\d|3[01])']
const [shortMonth, shortDay] = ['(?:0?[1-9]|1[0-2])', '(?:0?[1-9]|[12]\\d|3[01])']
const dates = [
  [years, month, day],
  [day, month, years],
  [month, day, years],
  [years, '[-./]', shortMonth, '[-./]', shortDay],
  [shortDay, '[-./]', shortMonth, '[-./]', years],
  [shortMonth, '[-./]', shortDay, '[-./]', years],
].map((parts) => new RegExp(`^${parts.join('')}`))

/** A text in which words are looked for: its characters, and what the disguise adds to the cost. */
interface Disguise {
  characters: readonly string[]
  more: number
}

interface Step {
  cost: number
  weakness: Weakness | null
  hasWord: boolean
}

/** The weakness that a refusal names: what the user can see most plainly. */
const order: readonly (Weakness | null)[] = [null, 'pattern', 'common', 'service', 'personal']
const worse = (one: Weakness | null, other: Weakness | null) =>
  order.indexOf(one) > order.indexOf(other) ? one : other

const costOf = (character: string) => {
  if (/\d/.test(character)) return cost.digit
  return /[!.?,_\-#*+ ]/.test(character) ? cost.sign : cost.other
}

/** The length of the run of keys, code points or one character that begins here. */
const createRunLength = (characters: readonly string[]) => {
  const scales: (number | undefined)[][] = [
    characters.map((character) => character.codePointAt(0) ?? 0),
    ...keyboards.map((keys) => characters.map((character) => keys.get(character))),
  ]
  return (from: number) => {
    let longest = 1
    scales.forEach((places, scale) => {
      const step = (places[from + 1] ?? Number.NaN) - (places[from] ?? Number.NaN)
      if (!(Math.abs(step) <= (scale === 0 ? 2 : 1))) return
      let end = from + 1
      while ((places[end + 1] ?? Number.NaN) - (places[end] as number) === step) end++
      longest = Math.max(longest, end - from + 1)
    })
    return longest
  }
}

/** The length of the repetition of the `size` characters that begin here. */
const repeatedLength = (characters: readonly string[], from: number, size: number) => {
  let end = from + size
  while (end < characters.length && characters[end] === characters[end - size]) end++
  return end - from
}

/** Offers a way to spell the characters up to `end`, by a word or another part. */
type Offer = (end: number, cost: number, weakness: Weakness | null, isWord?: boolean) => void

const offerRepetitions = (
  characters: readonly string[],
  at: number,
  costTo: (end: number) => number,
  offer: Offer,
) => {
  for (let size = 1; size <= longestBlock; size++) {
    const length = repeatedLength(characters, at, size)
    if (length < Math.max(4, 2 * size)) continue
    const block = Math.min(costTo(at + size), size * cost.other)
    offer(at + length, Math.max(block, 1) + next, 'pattern')
  }
}

const offerDates = (characters: readonly string[], at: number, offer: Offer) => {
  if (/\d/.test(characters[at - 1] ?? '')) return
  const ahead = characters.slice(at, at + 11).join('')
  const found = /^(?:19|20)(\d)\d(?!\d)/.exec(ahead)
  const isRecent = ahead.startsWith('20') && /[12]/.test(found?.[1] ?? '')
  if (found) offer(at + 4, isRecent ? year.recent : year.other, null)
  for (const pattern of dates) {
    const length = pattern.exec(ahead)?.[0].length
    if (length !== undefined) offer(at + length, date, 'pattern')
  }
}

const offerWord = (
  words: GuessableWords,
  word: string,
  more: number,
  end: number,
  offer: Offer,
) => {
  const own = Math.min(named.most, named.ofCharacter * word.length) + more
  if (words.personal.has(word)) offer(end, own, 'personal', true)
  if (words.service.has(word)) offer(end, own, 'service', true)
  const rank = word.length < shortestWord.common ? undefined : words.common.get(word)
  if (rank === undefined) return
  const least = /^\d+$/.test(word) ? digitOfNumber * word.length : 0
  offer(end, Math.max(least, Math.log10(rank + 1)) + more, 'common', true)
}

const offerWords = (words: GuessableWords, disguise: Disguise, at: number, offer: Offer) => {
  const { characters, more } = disguise
  let word = ''
  let reversed = ''
  let end = at
  for (const character of characters.slice(at, at + longestWord)) {
    word += character
    reversed = character + reversed
    end++
    if (end - at < shortestWord.named) continue
    offerWord(words, word, more, end, offer)
    offerWord(words, reversed, more + cost.reversed, end, offer)
  }
}

/** The cheapest way to put these characters together. Its work is bounded by the length times `longestWord`. */
const cheapest = (characters: readonly string[], words: GuessableWords): Step => {
  const disguises: Disguise[] = [
    { characters, more: 0 },
    { characters: leetOf(characters, 'i'), more: cost.leet },
    { characters: leetOf(characters, 'l'), more: cost.leet },
  ]
  const runLength = createRunLength(characters)
  const best: Step[] = [{ cost: 0, weakness: null, hasWord: false }]
  for (let at = 0; at < characters.length; at++) {
    const from = best[at] as Step
    const offer: Offer = (end, more, weakness, isWord = false) => {
      const total = from.cost + more + (isWord && from.hasWord ? next : 0)
      if (total >= (best[end]?.cost ?? Number.POSITIVE_INFINITY)) return
      best[end] = {
        cost: total,
        weakness: worse(from.weakness, weakness),
        hasWord: from.hasWord || isWord,
      }
    }
    offer(at + 1, costOf(characters[at] as string), null)
    for (const disguise of disguises) offerWords(words, disguise, at, offer)
    const run = runLength(at)
    if (run >= 4) offer(at + run, Math.min(mostOfRun, 1.5 + 0.3 * run), 'pattern')
    const costTo = (end: number) => (best[end]?.cost ?? Number.POSITIVE_INFINITY) - from.cost
    offerRepetitions(characters, at, costTo, offer)
    offerDates(characters, at, offer)
  }
  return best[characters.length] as Step
}

/** The shortest text of which this one is a repetition, by the border of its longest prefix (Knuth, Morris, Pratt). */
const period = (characters: readonly string[]): number => {
  const border = [0]
  for (let at = 1; at < characters.length; at++) {
    let length = border[at - 1] as number
    while (length > 0 && characters[at] !== characters[length])
      length = border[length - 1] as number
    border.push(characters[at] === characters[length] ? length + 1 : length)
  }
  return characters.length - (border.at(-1) ?? 0)
}

const withoutDoubles = (characters: readonly string[]) =>
  characters.filter((character, at) => character !== characters[at - 1])

/** The text as guessers compare it: width, case, accents and spaces make no difference. */
export const guessedForm = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Z}\p{Cf}\u2800\u3164\u115f\u1160\uffa0]/gu, '')

/** @returns why attackers guess this password soon; null when they do not */
export const weaknessOf = (text: string, words: GuessableWords): Weakness | null => {
  const guessed = guessedForm(text)
  if (words.common.has(guessed)) return 'common'
  const characters = [...guessed]
  const repeated = period(characters)
  const isRepeated = repeated <= characters.length / 2
  const once = (isRepeated ? characters.slice(0, repeated) : characters).slice(0, longestJudged)
  const capitals = /\p{Lu}/u.test(text) ? cost.capital : 0
  const found = cheapest(once, words)
  if (found.cost + capitals + (isRepeated ? next : 0) < fewest)
    return worse(found.weakness, isRepeated || found.weakness === null ? 'pattern' : null)
  const single = withoutDoubles(once)
  const isDoubled = single.length <= once.length / 2
  return isDoubled && cheapest(single, words).cost + capitals + 1 < fewest ? 'pattern' : null
}
