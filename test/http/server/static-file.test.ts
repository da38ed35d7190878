/** Assets and documents: compressed, named by their digest, and asked for again only when they have changed. */
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { onEachBackend } from '../../support/on-each-backend.ts'

const read = async (url: string, headers: Record<string, string> = {}) => {
  const sent = request(url, { headers })
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  )
  sent.end()
  const answer = await answered
  const body = await buffer(answer)
  return { status: answer.statusCode, headers: answer.headers, body }
}

await onEachBackend('static files', async (t, { issuer }) => {
  const page = await (await fetch(`${issuer}/login`)).text()
  const [path = ''] = /\/assets\/latchkey\.[\w-]{16}\.css/.exec(page) ?? []
  const never = 'public, max-age=31536000, immutable'

  t.test('pages link names with a digest, which never change', async (t) => {
    const paths = [...page.matchAll(/(?:href|src)="(\/(?:assets|favicon|apple)[^"]*)"/g)]
    t.ok(paths.length >= 5, `${paths.length} paths`)
    for (const [, one = ''] of paths) {
      const { status, headers } = await read(issuer + one)
      t.equal(status, 200, one)
      if (one.startsWith('/assets/')) t.equal(headers['cache-control'], never, one)
    }
  })

  const table = [
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000', undefined],
    ['identity', undefined],
    ['*', undefined],
    ['brotli, x-gzip', undefined],
    ['br;q=words, gzip;q=', undefined],
    [',;,;q=1,', undefined],
  ] as const
  for (const [accepted, coding] of table) {
    t.test(`Accept-Encoding: ${accepted}`, async (t) => {
      for (const one of [path, '/docs', '/docs/for-apps', '/sdk/v1.js']) {
        const plain = await read(issuer + one)
        const { headers, body } = await read(issuer + one, { 'accept-encoding': accepted })
        t.equal(headers['content-encoding'], coding, one)
        t.equal(headers.vary, 'Accept-Encoding', one)
        t.notOk(plain.headers['content-encoding'], one)
        if (!coding) {
          t.ok(body.equals(plain.body), one)
          continue
        }
        t.not(headers.etag, plain.headers.etag, 'each coding has a tag of its own')
        t.ok(body.length < plain.body.length / 2, `${body.length} of ${plain.body.length} bytes`)
        const text = coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
        if (one.startsWith('/docs')) t.ok(text.equals(plain.body), one)
        const known = { 'accept-encoding': accepted, 'if-none-match': String(headers.etag) }
        const again = await read(issuer + one, known)
        t.equal(again.status, 304, one)
        t.equal(again.headers.etag, headers.etag)
        t.equal(again.body.length, 0)
        const other = { ...known, 'if-none-match': String(plain.headers.etag) }
        t.equal((await read(issuer + one, other)).status, 200, 'the tag of another coding')
      }
    })
  }

  t.test(
    'a name without a digest, or with that of another version, has a short life',
    async (t) => {
      for (const one of ['/assets/latchkey.css', '/assets/latchkey.0000000000000000.css']) {
        const { status, headers } = await read(issuer + one)
        t.equal(status, 200, one)
        t.equal(headers['cache-control'], 'public, max-age=300', one)
      }
      for (const one of ['latchkey', 'latchkey.css.br', 'latchkey.0.css.0', 'other.css', 'css'])
        t.equal((await read(`${issuer}/assets/${one}`)).status, 404, one)
      t.equal((await fetch(`${issuer}/assets/latchkey.css`, { method: 'POST' })).status, 405)
    },
  )

  t.test('browsers find the icons that they ask for by themselves', async (t) => {
    for (const [one, type, magic] of [
      ['/favicon.ico', 'image/x-icon', '00000100'],
      ['/apple-touch-icon.png', 'image/png', '89504e47'],
      ['/apple-touch-icon-precomposed.png', 'image/png', '89504e47'],
    ] as const) {
      const { status, headers, body } = await read(issuer + one)
      t.equal(status, 200, one)
      t.equal(headers['content-type'], type)
      t.equal(headers['cache-control'], 'public, max-age=86400')
      t.equal(body.toString('hex', 0, 4), magic)
    }
  })

  t.test(
    'pictures of the documentation that are compressed already are sent as they are',
    async (t) => {
      const accept = { 'accept-encoding': 'br' }
      const picture = await read(`${issuer}/docs/images/consent.png`, accept)
      t.notOk(picture.headers['content-encoding'])
      const drawing = await read(`${issuer}/docs/images/soak.svg`, accept)
      t.equal(drawing.headers['content-encoding'], 'br')
    },
  )
})
