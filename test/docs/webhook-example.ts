import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import type { Walk } from './follow.ts'
import { runBeside } from './reader.ts'

const secret = `whsec_${Buffer.from('a secret of the tests, 32 bytes!').toString('base64')}`
const other = `whsec_${Buffer.from('another secret that is replaced.').toString('base64')}`
const body = '{"type":"webhook.test","data":{"name":"Zoë"}}'

/** Reads [headers, body, secret], and prints the result of the example. */
const programs = {
  'webhook.mjs': `
    import { readFileSync } from 'node:fs'
    import { isGenuine } from './webhook.mjs'
    const [headers, body, secret] = JSON.parse(readFileSync('message.json', 'utf8'))
    console.log(isGenuine(headers, body, secret))`,
  'webhook.py': `
import json
from webhook import is_genuine
headers, body, secret = json.load(open("message.json"))
print(json.dumps(is_genuine(headers, body.encode(), secret)))`,
}

const signedAt = (date: Date, by = secret) => ({
  'webhook-id': 'msg1',
  'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
  'webhook-signature': new Webhook(by).sign('msg1', date, body),
})

/** The example webhook receiver accepts correctly signed messages only. */
export const checkWebhook = async ({ t, reader }: Walk, text: string): Promise<void> => {
  const file = text.includes('export const') ? 'webhook.mjs' : 'webhook.py'
  const [program, flag] = file === 'webhook.py' ? ['python3', '-c'] : [process.execPath, '-e']
  await writeFile(join(reader.directory, file), text)
  const judge = async (headers: Record<string, string>, said = body) => {
    await writeFile(join(reader.directory, 'message.json'), JSON.stringify([headers, said, secret]))
    const module = file === 'webhook.mjs' ? ['--input-type=module'] : []
    return runBeside(reader, program as string, [...module, flag as string, programs[file]])
  }
  const now = new Date()
  const good = signedAt(now)
  const both = `${signedAt(now, other)['webhook-signature']} ${good['webhook-signature']}`
  const cases: [what: string, headers: Record<string, string>, said: string, expected: string][] = [
    ['as it was sent', good, body, 'true'],
    ['while the secret is replaced', { ...good, 'webhook-signature': both }, body, 'true'],
    ['another body', good, body.replace('test', 'tost'), 'false'],
    ['another secret', signedAt(now, other), body, 'false'],
    ['old', signedAt(new Date(now.getTime() - 600_000)), body, 'false'],
    ['from the future', signedAt(new Date(now.getTime() + 600_000)), body, 'false'],
    ['no timestamp', { ...good, 'webhook-timestamp': '' }, body, 'false'],
    ['no signature', { ...good, 'webhook-signature': '' }, body, 'false'],
  ]
  for (const [what, headers, said, expected] of cases)
    t.equal(await judge(headers, said), expected, what)
}
