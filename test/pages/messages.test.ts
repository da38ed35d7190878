import t from 'tap'
import { formats } from '../../src/words/formats.ts'
import { inLanguage, message, phraseOf, sentenceOf } from '../../src/words/message.ts'

t.test('a message is a string with its values', async (t) => {
  const workspaces = message('{count, plural, one {# workspace} other {# workspaces}}', 'count')
  t.equal(workspaces(1), '1 workspace')
  t.equal(workspaces(1234), '1,234 workspaces')
  t.equal(workspaces.icu, '{count, plural, one {# workspace} other {# workspaces}}')
  t.same(workspaces.names, ['count'])

  const life = message('{until, select, none {no expiry date} other {expires {until}}}', 'until')
  t.equal(life(null), 'no expiry date')
  t.equal(life('tomorrow'), 'expires tomorrow')

  const shared = message('Shares{name, select, true {, with the name} other {}}', 'name')
  t.equal(shared(true), 'Shares, with the name')
  t.equal(shared(false), 'Shares')
})

t.test('a name is a part of its own, and chooses no words', async (t) => {
  const install = phraseOf('Install {app} in {organization}?', 'app', 'organization')
  t.same(install('Letter Press', 'Acme'), [
    'Install ',
    { name: 'Letter Press' },
    ' in ',
    { name: 'Acme' },
    '?',
  ])
  t.same(install('{organization} <b>', '#'), [
    'Install ',
    { name: '{organization} <b>' },
    ' in ',
    { name: '#' },
    '?',
  ])
  t.same(install('a\u2069b', '')[1], { name: 'ab' }, 'no name leaves its isolation')

  const changed = phraseOf('{who, select, none {Another person} other {{who}}} did it', 'who')
  t.same(changed(null), ['Another person did it'])
  t.same(changed('none'), [{ name: 'none' }, ' did it'], 'a person with the name none')
  t.same(changed(['none']), ['none', ' did it'])
})

t.test('a list of names is one value', async (t) => {
  const who = phraseOf('Only an admin can install it: {admins}.', 'admins')
  t.same(who(formats.list.any(['Kim', 'Lee', 'Sam'])), [
    'Only an admin can install it: ',
    { name: 'Kim' },
    ', ',
    { name: 'Lee' },
    ' or ',
    { name: 'Sam' },
    '.',
  ])
})

t.test('the same function speaks another language', async (t) => {
  const files = message('{count, plural, one {# file} other {# files}}', 'count')
  const arabic = files[inLanguage](
    'ar',
    '{count, plural, zero {لا ملفات} one {ملف واحد} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملف}}',
  )
  t.same([0, 1, 2, 3, 11, 100].map(arabic), [
    'لا ملفات',
    'ملف واحد',
    'ملفان',
    '3 ملفات',
    '11 ملفًا',
    '100 ملف',
  ])
  t.equal(files[inLanguage]('de')(1234), '1.234 files', 'without a translation')

  const title = message('Error: {title}', 'title')
  t.equal(title('x'), 'Error: x')
  t.equal(title[inLanguage]('ar', 'خطأ: {title}')('Acme (1)'), 'خطأ: \u2068Acme (1)\u2069')

  const day = new Date('2026-11-24T13:05:09Z')
  t.equal(formats.moment(day), '24 November 2026 at 13:05 UTC')
  t.equal(formats.day[inLanguage]('de')(day), '24. November 2026')
  t.equal(formats.number[inLanguage]('pt-BR')(1234567), '1.234.567')
  t.equal(formats.daysAgo[inLanguage]('ja')(3), '3 日前')
  t.same(formats.list.any(['Kim', ['another admin']]), [{ name: 'Kim' }, ' or ', 'another admin'])
  t.equal(formats.list.comma[inLanguage]('ar')(['a', 'b']), 'a، b')
  t.same(formats.list.any[inLanguage]('de')(['Kim', 'Lee']), [
    { name: 'Kim' },
    ' oder ',
    { name: 'Lee' },
  ])
})

t.test('sentences of a table share their values', async (t) => {
  const event = sentenceOf<{ app: string; person: string }>()
  const approved = event('approved the request for {app} by {person}')
  t.same(approved({ app: 'Letter Press', person: 'Ana' }), [
    'approved the request for ',
    { name: 'Letter Press' },
    ' by ',
    { name: 'Ana' },
  ])
  t.same(event('installed {app}')({ app: 'Letter Press', person: 'Ana' }), [
    'installed ',
    { name: 'Letter Press' },
  ])
})
