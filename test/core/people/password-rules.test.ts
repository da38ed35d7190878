import { createHash } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import t from 'tap'
import {
  namesOfService,
  type PasswordReason,
  passwordFaults,
} from '../../../src/core/people/password-rules.ts'

const owner = { email: 'Maria.Lopez@Example.test', name: 'María López' }
const service = namesOfService('Acme Cloud', 'https://login.acme-cloud.example')

const reasonOf = async (text: string) => {
  const [fault] = await passwordFaults(text, owner, service)
  return fault?.reason ?? null
}

const refused: Record<PasswordReason, string[]> = {
  password_length: ['', 'x7Kp9Qw', 'x'.repeat(1001)],
  password_characters: ['x7Kp9Qwz\n', 'x7Kp9\u0000Qwz'],
  password_common: [
    ...[
      'password',
      'PASSWORD',
      'p a s s w o r d',
      'pass\u2003word',
      'pass\u200bword',
      'ｐａｓｓｗｏｒｄ',
    ],
    ...[
      'P@ssw0rd',
      'P@$$w0rd2024!',
      'drowssap',
      'pÁssword',
      'password1',
      'password!!',
      'passwort1',
    ],
    ...['1q2w3e4r', '1qaz2wsx', 'abcd1234', 'letmein!', 'dragon2024', 'Summer2024!'],
    ...['monkey4821', 'google123', 'computer7', 'welcome1', 'changeme123', 'passwordpassword'],
  ],
  password_personal: [
    ...['maria.lopez@example.test', 'Maria.Lopez2024!', 'maríalópez', 'López María', 'lopezmaria1'],
    ...[
      'zepolairam',
      'M4ri4Lopez',
      'example.test',
      'Example2026',
      'maria1990',
      'marialopezmarialopez',
    ],
  ],
  password_service: [
    'latchkey',
    'Latchkey2024!',
    'L4tchk3y',
    'yekhctal',
    'acmecloud',
    'acme-cloud1',
    'AcmeCloud!',
  ],
  password_pattern: [
    ...[
      '88888888',
      '        ',
      '\u3000'.repeat(9),
      '$$$$$$$$',
      'あああああああああ',
      'a'.repeat(1000),
    ],
    ...[
      'abcdefgh',
      'zyxwvuts',
      'абвгдежз',
      '2468024680',
      'abcabcabc',
      'xyxyxyxy1',
      'aaaabbbb',
      'qqqqwwww',
    ],
    ...['qwertzuiop', 'azertyuiop', 'aoeuidht', 'poiuztrewq', '!@#$%^&*', '!"§$%&/(', 'йцукенгш'],
    ...['19900101', '1990-01-01', '01.01.1990', '12/31/1999', '1.1.1990', 'ababababab'],
  ],
}

t.test('UI-19 refuses a password and says why', async (t) => {
  for (const [reason, texts] of Object.entries(refused))
    for (const text of texts) {
      const found = await reasonOf(text)
      // A date or a row of keys can be one of the most common passwords, too.
      const fits = reason === 'password_pattern' ? [reason, 'password_common'] : [reason]
      t.ok(found !== null && fits.includes(found), `${reason}: ${text.slice(0, 40)}: ${found}`)
    }
})

t.test('UI-19 refuses each of the common passwords', async (t) => {
  const long = dictionary['passwords-common'].filter((word) => word.length >= 8)
  const accepted: string[] = []
  for (const word of long) if ((await reasonOf(word)) === null) accepted.push(word)
  t.ok(long.length > 10_000)
  t.strictSame(accepted, [])
})

t.test('accepts passphrases in any language', async (t) => {
  const texts = [
    ...['correct horse battery staple', 'maria lopez likes the sea', 'example tests are boring'],
    ...[
      'blue sky green tree',
      'the cat sat on my piano',
      'my dog ate 3 shoes',
      'love peace music money',
    ],
    ...['abacus abdomen abide', 'horse-lamp-cloud-pen', 'latchkey opens my green door'],
    ...['wir fahren nach italien', 'gato mesa cielo verde', 'мой дядя самых честных правил'],
    ...[
      'パスワードではない長い文',
      '私は毎朝コーヒーを飲みます',
      '四只猫在屋顶上睡觉',
      'القطة تنام على الكرسي',
    ],
    ...['강아지가 방에서 잔다', 'letters to the moon 1969', 'x7Kp9QwzX', 'kT9$mPq2', 'u7fhw93k'],
  ]
  for (const text of texts) t.equal(await reasonOf(text), null, text)
})

t.test('accepts generated passwords', async (t) => {
  const alphabets = {
    8: 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#$%&*+-=?@_',
    12: 'abcdefghijklmnopqrstuvwxyz0123456789',
    16: '0123456789abcdef',
  }
  for (const [length, alphabet] of Object.entries(alphabets))
    for (let at = 0; at < 500; at++) {
      const bytes = createHash('sha256').update(`${length} ${at}`).digest()
      const text = [...bytes.subarray(0, Number(length))]
        .map((byte) => alphabet[byte % alphabet.length])
        .join('')
      const reason = await reasonOf(text)
      if (reason !== null) t.fail(`${text}: ${reason}`)
    }
})
