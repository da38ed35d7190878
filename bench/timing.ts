// Checks whether the time of a refusal reveals its reason (TIM-01). Sends requests with an unknown client, and with
// secrets that are wrong at the first or the last character, in random order. Prints Welch's t for each pair of groups;
// a |t| under 4.5 is explained by chance.
//
//   npm run bench:timing -- http://127.0.0.1:3000 <client_id> <client_secret> [requests per group]
//
// The server must not limit failed clients: start it with LIMIT_CLIENT_FAILURES=1000000.
import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'

const threshold = 4.5
const [base, clientId, secret, count = '2000'] = process.argv.slice(2)
if (!base || !clientId || !secret) {
  console.error('usage: npm run bench:timing -- URL CLIENT_ID CLIENT_SECRET [REQUESTS]')
  process.exit(2)
}

const other = (character: string | undefined) => (character === 'A' ? 'B' : 'A')
const groups: Record<string, { client_id: string; client_secret: string }> = {
  'unknown client': { client_id: `${clientId.slice(0, -4)}0000`, client_secret: secret },
  'first character wrong': {
    client_id: clientId,
    client_secret: other(secret[0]) + secret.slice(1),
  },
  'last character wrong': {
    client_id: clientId,
    client_secret: secret.slice(0, -1) + other(secret.at(-1)),
  },
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * Milliseconds until the whole answer has arrived.
 * @throws Error for any answer but invalid_client
 */
const timeOf = (credentials: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      organization_id: 'org00000',
      ...credentials,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const started = performance.now()
    const sent = request(
      `${base}/api/oauth/token`,
      { method: 'POST', agent, headers },
      (answer) => {
        answer.resume().on('end', () => {
          const took = performance.now() - started
          if (answer.statusCode === 401) resolve(took)
          else reject(new Error(`status ${answer.statusCode}; is LIMIT_CLIENT_FAILURES set?`))
        })
      },
    )
    sent.on('error', reject).end(body)
  })

/** Drops the slowest twentieth, which the machine causes. */
const trimmed = (times: number[]) =>
  [...times].sort((a, b) => a - b).slice(0, Math.ceil(times.length * 0.95))

const momentsOf = (times: number[]) => {
  const mean = times.reduce((sum, one) => sum + one, 0) / times.length
  const variance = times.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (times.length - 1)
  return { mean, variance, count: times.length }
}

/** Welch's t of two samples. */
const welch = (first: number[], second: number[]) => {
  const [a, b] = [momentsOf(first), momentsOf(second)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

const measure = async () => {
  const names = Object.keys(groups)
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let warm = 0; warm < 200; warm++) await timeOf(groups[names[warm % 3] as string] as never)
  for (let left = Number(count) * names.length; left > 0; left--) {
    const name = names[randomInt(names.length)] as string
    times.get(name)?.push(await timeOf(groups[name] as never))
  }
  return [...times].map(([name, list]) => ({ name, times: trimmed(list) }))
}

const samples = await measure()
for (const { name, times } of samples) {
  const { mean, count } = momentsOf(times)
  console.log(`${name.padEnd(24)}${mean.toFixed(3)} ms  (${count} requests)`)
}
for (const [at, first] of samples.entries()) {
  for (const second of samples.slice(at + 1)) {
    const t = welch(first.times, second.times)
    const verdict = Math.abs(t) < threshold ? 'alike' : 'DIFFERENT'
    console.log(`t ${t.toFixed(2).padStart(7)}  ${first.name} / ${second.name}: ${verdict}`)
  }
}
agent.destroy()
