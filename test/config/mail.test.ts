import t from 'tap'
import { readConfig } from '../../src/config/config.ts'

const faultsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as { faults: readonly string[] }).faults
  }
}

const from = { MAIL_FROM: 'no-reply@example.com' }

t.test('mails are off without SMTP_URL', async (t) => {
  t.equal(readConfig({}).mail, null)
  t.match(faultsOf(from), [/^MAIL_FROM needs SMTP_URL/])
  t.match(faultsOf({ SMTP_URL: 'smtp://mail.example' }), [/^MAIL_FROM is required/])
})

t.test('the server and the sender', async (t) => {
  const mailOf = (SMTP_URL: string, MAIL_FROM = 'no-reply@example.com') =>
    readConfig({ SMTP_URL, MAIL_FROM }).mail
  t.match(mailOf('smtp://us%40er:p%2Fw@mail.example:2525', 'Northwind <no-reply@example.com>'), {
    server: {
      host: 'mail.example',
      port: 2525,
      isSecure: false,
      needsTls: true,
      user: 'us@er',
      password: 'p/w',
    },
    from: { name: 'Northwind', address: 'no-reply@example.com' },
    replyTo: null,
  })
  t.match(mailOf('smtps://mail.example')?.server, { port: 465, isSecure: true, user: null })
  t.match(mailOf('smtp://mail.example')?.server, { port: 587, needsTls: false })
  t.equal(mailOf('smtp://u:p@127.0.0.1:25')?.server.needsTls, false, 'this computer')
})

t.test('faults name the setting and never its value', async (t) => {
  const cases: [name: string, value: string][] = [
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'smtp://mail.example/path-of-canary'],
    ['SMTP_URL', 'smtp://user:canary%zz@mail.example'],
    ['MAIL_FROM', 'canary'],
    ['MAIL_FROM', 'Canary\r\nBcc: <eve@evil.test>'],
    ['MAIL_FROM', 'A <a@b.test> <c@d.test>'],
    ['MAIL_REPLY_TO', 'canary at example.com'],
  ]
  for (const [name, value] of cases) {
    const faults = faultsOf({ SMTP_URL: 'smtp://mail.example', ...from, [name]: value })
    t.equal(faults.length, 1, `${name}=${JSON.stringify(value)}: ${faults}`)
    t.match(faults[0], new RegExp(`^${name} `))
    t.notMatch(faults[0], /canary|evil/i)
  }
})
