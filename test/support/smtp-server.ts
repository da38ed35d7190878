import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { eventually } from './eventually.ts'

/** A received message, as sent and as parsed. */
export interface ReceivedMail {
  to: string
  raw: string
  mail: ParsedMail
  /** The value of a header; '' when it is missing. */
  header(name: string): string
}

/** What the server answers to the content of a message; null: it accepts the message. */
export type MailAnswer = (to: string) => { code: number; text: string } | null

/** The first line of a header, without its name and folding. */
const headerOf = ({ headerLines }: ParsedMail, name: string) => {
  const found = headerLines.find(({ key }) => key === name.toLowerCase())
  return found ? found.line.replace(/\r?\n[ \t]+/g, ' ').replace(/^[^:]*:\s*/, '') : ''
}

/** An SMTP server without TLS, on a free port of this machine. */
export const startSmtpServer = async (at = 0) => {
  const received: ReceivedMail[] = []
  const failures: string[] = []
  let answer: MailAnswer = () => null
  let delay = 0
  const listen = async (port: number) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => done(null, { user: `${username}:${password}` }),
      onData: async (stream, session, done) => {
        const chunks: Buffer[] = []
        try {
          for await (const chunk of stream) chunks.push(chunk as Buffer)
        } catch {
          return // The client went away.
        }
        const raw = Buffer.concat(chunks).toString('utf8')
        if (delay > 0) await setTimeout(delay)
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        const refusal = answer(to)
        if (refusal) {
          failures.push(to)
          return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
        }
        const mail = await simpleParser(raw)
        received.push({ to, raw, mail, header: (name) => headerOf(mail, name) })
        done()
      },
    })
    // A client that goes away in the middle is no failure of the test.
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await listen(at)
  const { port } = server.server.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** Recipients of messages that were refused. */
    failures,
    answerWith: (next: MailAnswer) => {
      answer = next
    },
    /** @param ms for each message */
    slowDown: (ms: number) => {
      delay = ms
    },
    stop,
    /** Starts again on the same port. */
    restart: async () => {
      server = await listen(port)
    },
    /** Waits for a message. */
    next: async (isWanted: (one: ReceivedMail) => boolean): Promise<ReceivedMail> => {
      await eventually(() => received.some(isWanted))
      return received.find(isWanted) as ReceivedMail
    },
  }
}
