import t from 'tap'
import {
  emailFaults,
  isEmailAddress,
  normaliseEmail,
  shownEmail,
} from '../../../src/core/people/email-address.ts'

const stored = 'user@xn--bcher-kva.example'

t.test('an address has one form, in which it is stored', async (t) => {
  for (const typed of [
    'user@bücher.example',
    ' USER@BÜCHER.Example ',
    'user@bu\u0308cher.example',
    'user@bücher。example',
    'user@XN--BCHER-KVA.example',
    'user@ｂücher.example',
  ])
    t.equal(normaliseEmail(typed), stored, typed)
  t.same(emailFaults(stored), [])
  for (const kept of ['ana@acme.test', '1@1.2.3', "o'neil+tag@acme.test"])
    t.equal(normaliseEmail(kept), kept)
  t.not(normaliseEmail('\u212aim@acme.test'), 'kim@acme.test')
})

t.test('what has no IDN form is no address', async (t) => {
  for (const typed of [
    'a@bü/x.test',
    'a@bü／x.test',
    'a@bü#x',
    'a@bü%41.test',
    'a@bü:80',
    'a@ü..test',
    'a@xn--zzzzzz-ü.test',
    'a@ü_x.test',
    'a b@bücher.example',
    '@bücher.example',
    'a@b@bücher.example',
    `a@${'ü'.repeat(70)}.test`,
  ]) {
    t.notOk(isEmailAddress(normaliseEmail(typed)), typed)
    t.match(emailFaults(normaliseEmail(typed)), [{ reason: 'email' }], typed)
  }
})

t.test('other letters before the @ are refused in a sentence', async (t) => {
  for (const typed of [
    'zoë@example.test',
    'zoe\u0308@bücher.example',
    '用户@例子.test',
    '\u212aim@acme.test',
  ])
    t.match(emailFaults(normaliseEmail(typed)), [
      { pointer: '/email', reason: 'email_letters', detail: /SMTPUTF8.*ASCII/ },
    ])
})

t.test('people read the letters of a domain that looks like no other', async (t) => {
  t.equal(shownEmail(stored), 'user@bücher.example')
  t.equal(shownEmail('user@acme.test'), 'user@acme.test')
  for (const alike of [
    'раураl.com',
    'gооgle.com',
    'ɡoogle.com',
    'lınux.org',
    'goo\u0261le.test',
    'аррӏе.com',
  ])
    t.match(shownEmail(normaliseEmail(`user@${alike}`)), /@xn--/, alike)
})
