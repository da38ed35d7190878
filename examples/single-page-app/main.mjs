// Serves the single-page app: three files without secrets.
import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'
import Fastify from 'fastify'

const { LATCHKEY_ISSUER, LATCHKEY_CLIENT_ID, DATA_API, PUBLIC_URL } = process.env
const settings = { issuer: LATCHKEY_ISSUER, id: LATCHKEY_CLIENT_ID, dataApi: DATA_API }
const html = await readFile(`${import.meta.dirname}/page.html`)
const entryPoints = [`${import.meta.dirname}/page.mjs`]
const built = await build({ entryPoints, bundle: true, format: 'esm', write: false })
const script = built.outputFiles[0].text

const others = `${LATCHKEY_ISSUER} ${new URL(DATA_API).origin}`
const allowed = `script-src 'self'; img-src data:; connect-src 'self' ${others}`
const policy = `default-src 'none'; ${allowed}; base-uri 'none'; frame-ancestors 'none'`
const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }

const server = Fastify()
server.addHook('onRequest', async (_, reply) => void reply.headers(headers))
server.get('/', async (_, reply) => reply.type('text/html;charset=utf-8').send(html))
server.get('/page.js', async (_, reply) => reply.type('text/javascript').send(script))
server.get('/settings.json', async () => settings)

const { hostname, port } = new URL(PUBLIC_URL)
await server.listen({ host: hostname, port: Number(port) })
console.log(`Single-page app  ${PUBLIC_URL}/`)
