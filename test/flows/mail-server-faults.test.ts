/** SMTP servers that must not get a mail: the log says at once why mails wait. */
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import t from 'tap'
import { makeCertificates } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { onEachBackend } from '../support/on-each-backend.ts'

const { certificate, key } = await makeCertificates(t, 'DNS:localhost')
const tls = { cert: await readFile(certificate), key: await readFile(key) }

const start = async (options: SMTPServerOptions) => {
  let received = 0
  const server = new SMTPServer({
    ...options,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
    onData: (stream, _session, done) => {
      received++
      stream.resume().on('end', () => done())
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, received: () => received }
}

const untrusted = 'ESOCKET UNABLE_TO_VERIFY_LEAF_SIGNATURE'
const cases: [name: string, options: SMTPServerOptions, scheme: string, fault: string][] = [
  [
    'an untrusted certificate, TLS from the beginning',
    { ...tls, secure: true },
    'smtps',
    untrusted,
  ],
  ['an untrusted certificate, STARTTLS', { ...tls, authOptional: true }, 'smtp', untrusted],
  [
    'a wrong password',
    { disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    'smtp',
    'EAUTH 535',
  ],
]

for (const [name, options, scheme, fault] of cases) {
  const smtp = await start(options)
  await onEachBackend(
    `mails wait: ${name}`,
    async (t, { running, world }) => {
      const change = { password: 'a horse without a stable' }
      await running.operator('PATCH', `/users/${world.ana.id}`, change)
      await eventually(() => running.log.join('').includes('mails wait'))
      t.match(running.log.join(''), `"fault":"${fault}","msg":"mails wait`)
      t.notMatch(running.log.join(''), 'key-of-mails', 'no password in the log')
      t.equal(smtp.received(), 0)
      t.equal((await fetch(`${running.issuer}/health/ready`)).status, 200)
    },
    {
      environment: {
        SMTP_URL: `${scheme}://latch:key-of-mails@localhost:${smtp.port}`,
        MAIL_FROM: 'no-reply@mail.test',
      },
    },
  )
}
