import t from 'tap'
import {
  descriptionFaults,
  firstName,
  nameFaults,
  portableDescriptionPattern,
  portableNamePattern,
  portableTypedPattern,
  withoutHidden,
} from '../../../src/core/language/display-text.ts'

const good = [
  'Report Builder',
  'O’Neill & Søn — №1',
  'Ελληνικά',
  'レポート',
  'דוחות',
  'تقارير',
  'हिन्दी',
  'ไทย',
  'Tiê\u0301ng',
  'Chart 📊',
  'Love ❤\ufe0f',
  'Mail ✉\ufe0e',
  'No. 1\ufe0f\u20e3',
  '👩🏽',
  // Joiners in words (RFC 5892 A.1, A.2) and in emoji (Unicode TS 51).
  'علی\u200cرضا',
  'ب\u064f\u200cت',
  'क\u094d\u200dष',
  'क\u094d\u200cष',
  'ශ\u0dca\u200dරී',
  'Team 👩\u200d💻',
  '👨\u200d👩\u200d👧\u200d👦',
  '🧑🏽\u200d🦰',
  '❤\ufe0f\u200d🔥',
  '⛹🏽\u200d♀\ufe0f',
  '🏳\ufe0f\u200d🌈',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '🇫🇷',
  '-',
  '1',
]

/** Invisible characters, or ones that change the text direction. */
const bad: [what: string, character: string][] = [
  ['zero width space', '\u200b'],
  ['zero width non-joiner', '\u200c'],
  ['zero width joiner', '\u200d'],
  ['word joiner', '\u2060'],
  ['byte order mark', '\ufeff'],
  ['soft hyphen', '\u00ad'],
  ['combining grapheme joiner', '\u034f'],
  ['Arabic letter mark', '\u061c'],
  ['Hangul fillers', '\u115f'],
  ['Hangul fillers', '\u1160'],
  ['Hangul fillers', '\u3164'],
  ['Hangul fillers', '\uffa0'],
  ['Khmer vowels that are not shown', '\u17b4'],
  ['Khmer vowels that are not shown', '\u17b5'],
  ['Mongolian vowel separator', '\u180e'],
  ['function application', '\u2061'],
  ['invisible plus', '\u2064'],
  ['left-to-right mark', '\u200e'],
  ['right-to-left override', '\u202e'],
  ['first strong isolate', '\u2068'],
  ['pop directional isolate', '\u2069'],
  ['deprecated format characters', '\u206a'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['interlinear annotation', '\ufff9'],
  ['object replacement', '\ufffc'],
  ['variation selector of nothing', '\ufe0f'],
  ['variation selector 1', '\ufe00'],
  ['ideographic variation selector', '\u{e0100}'],
  ['tag letter', '\u{e0041}'],
  ['language tag', '\u{e0001}'],
  ['shorthand format', '\u{1bca0}'],
  ['musical format', '\u{1d173}'],
  ['null', '\0'],
  ['escape', '\x1b'],
  ['C1 control', '\x9b'],
  ['lone surrogate', '\ud800'],
]

t.test('accepts names and descriptions that can be displayed', async (t) => {
  for (const text of good) {
    t.same(nameFaults('/name', text), [], text)
    t.same(descriptionFaults('/description', text), [], text)
    t.equal(withoutHidden(text), text)
  }
  t.same(descriptionFaults('/description', ''), [])
})

t.test('joiners that join nothing are refused', async (t) => {
  for (const text of [
    '\u200cعلی',
    'علی\u200c',
    'علی\u200c\u200cرضا',
    'علی\u200c رضا',
    'رضا\u200cعلی',
    'علی\u200dرضا',
    'क\u200dष',
    'क\u094d\u200d\u200dष',
    '\u200d👩',
    '👩\u200d',
    '👩\u200d\u200d💻',
    '👩\u200dA',
    'A\u200d💻',
    '1\u200d2',
    '©\u200dA',
    '🏴\u{e0067}\u{e0062}',
    '🏴\u{e0061}\u{e007f}',
  ])
    t.match(nameFaults('/name', text), [{ reason: 'name' }], JSON.stringify(text))
})

t.test('a name of another party is taken as it is, or without what hides', async (t) => {
  t.equal(firstName([null, ' علی\u200cرضا ']), 'علی\u200cرضا')
  t.equal(firstName(['Ac\u200dme\u202e']), 'Acme')
  t.equal(firstName(['علی\u200c']), 'علی')
  t.equal(firstName(['\u200b', undefined, 'Ana']), 'Ana')
  t.equal(firstName(['', '\u200d']), null)
  t.equal(firstName([`${'a'.repeat(99)}👩\u200d💻`]), `${'a'.repeat(99)}👩`)
})

t.test('rejects hidden characters anywhere', async (t) => {
  const detail = 'has invisible, control or direction characters'
  for (const [what, character] of bad) {
    for (const text of [`Acme${character}`, `Ac${character}me`, `${character}Acme`]) {
      t.same(
        nameFaults('/name', text),
        [{ pointer: '/name', detail: `is blank or ${detail}`, reason: 'name' }],
        what,
      )
      t.same(
        descriptionFaults('/description', text),
        [{ pointer: '/description', detail, reason: 'description' }],
        what,
      )
      t.equal(withoutHidden(text), 'Acme', what)
    }
    t.equal(withoutHidden(`a${character}`, '\ufffd'), 'a\ufffd')
  }
})

t.test('the patterns for clients agree with the rules, character by character', async (t) => {
  const [name, description] = [portableNamePattern, portableDescriptionPattern].map(
    (pattern) => new RegExp(pattern, 'u'),
  )
  const typed = new RegExp(portableTypedPattern, 'u')
  const isMark = /[\p{M}\p{Cf}]/u
  const different = { name: 0, description: 0, password: 0 }
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code)
    if (/\p{Cs}/u.test(text)) continue
    const isName = nameFaults('/name', text).length === 0
    if (name?.test(text) !== isName && !isMark.test(text)) different.name++
    if (description?.test(text) !== (descriptionFaults('/', text).length === 0))
      different.description++
    if (typed.test(text) === /\p{Cc}/u.test(text)) different.password++
    if (/\p{DI}/u.test(text) && description?.test(text)) different.description++
  }
  t.same(different, { name: 0, description: 0, password: 0 })
})

t.test('a name needs a visible character', async (t) => {
  const blanks = [
    '',
    ' ',
    '\u00a0',
    '\u2003\u3000',
    '\u202f',
    '\u2800',
    ' \u2800 ',
    '\u0301',
    ' \u0301',
  ]
  for (const text of blanks) t.ok(nameFaults('/name', text).length > 0, JSON.stringify(text))
})

t.test('joiners are allowed where they are visible, in names and in running text', async (t) => {
  const running = [
    '👩\u200d💻',
    '🏳\ufe0f\u200d🌈',
    'می\u200cخواهم',
    'क\u094d\u200dष',
    'two\nlines\tand tabs\r\n',
  ]
  for (const text of running) t.equal(withoutHidden(text), text, text)
  for (const text of running.slice(0, 4)) t.same(nameFaults('/name', text), [], text)
  t.equal(withoutHidden('👩\u200dAcme'), '👩Acme')
  t.equal(withoutHidden('1\ufe0f'), '1')
  t.equal(withoutHidden('©\ufe0f'), '©\ufe0f')
})
