/**
 * `npm run check:clients`, where there is a network: compares the list of AI clients with the public pages. A metadata document
 * must be one, and have its own address as `client_id`. The page of an entry must still state its address. Prints a line
 * for each entry, and exits with 1 when one differs; correct src/cli/resources/ai-clients.json by hand then, with the day.
 */
import { readFileSync } from 'node:fs'

const path = new URL('../src/cli/resources/ai-clients.json', import.meta.url)
const clients = JSON.parse(readFileSync(path, 'utf8'))
const patience = 20_000 // ms

const read = async (url) => {
  const answer = await fetch(url, {
    headers: { accept: 'application/json, text/html;q=0.9, */*;q=0.8' },
    signal: AbortSignal.timeout(patience),
  })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return answer.text()
}

const checkDocument = async (url) => {
  const document = JSON.parse(await read(url))
  if (document.client_id !== url) throw new Error(`${url} has the client_id ${document.client_id}`)
  if (!Array.isArray(document.redirect_uris) || document.redirect_uris.length === 0)
    throw new Error(`${url} has no redirect_uris`)
}

/** A page may break an address into parts, or escape it. */
const plain = (text) => text.replaceAll('\\/', '/').replaceAll('&#x2F;', '/')

const checkPage = async ({ source, url, redirect_uris: uris = [] }) => {
  const page = plain(await read(source))
  const missing = [url, ...uris].filter(
    (one) => one && !page.includes(one.replace(/^https?:\/\//, '')),
  )
  if (missing.length > 0) throw new Error(`${source} no longer states ${missing.join(', ')}`)
}

let differs = false
for (const client of clients) {
  const results = await Promise.allSettled([
    client.url && checkDocument(client.url),
    checkPage(client),
  ])
  const faults = results.flatMap(({ reason }) =>
    reason ? [reason.cause?.code ?? reason.message] : [],
  )
  if (faults.length > 0) differs = true
  console.log(
    `${client.name.padEnd(12)} ${faults.join('; ') || 'as listed'} (read on ${client.read_on})`,
  )
}
process.exitCode = differs ? 1 : 0
