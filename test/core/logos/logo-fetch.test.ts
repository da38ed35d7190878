/** Logos are fetched once and encoded again. Hostile images, servers and addresses leave the monogram. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import type { Stores } from '../../../src/app/stores.ts'
import { createLogoFetch } from '../../../src/core/logos/logo-fetch.ts'
import { createEncodeLogo } from '../../../src/core/logos/logo-image.ts'
import {
  createFetchDocument,
  type FetchDocument,
} from '../../../src/core/outbound/fetch-document.ts'
import { OutboundBusy } from '../../../src/core/outbound/waits.ts'
import { startDocumentServer } from '../../support/document-server.ts'
import { onEachStores } from '../../support/open-stores.ts'

const square = (width: number, height = width, background = '#336699') =>
  sharp({ create: { width, height, channels: 3, background } })
const digestOf = (image: Buffer) => createHash('sha256').update(image).digest('hex')

/** A PNG whose head claims this size. */
const claiming = async (width: number, height: number) => {
  const png = await square(1).png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

await onEachStores(t, 'logos', async (t, stores: Stores) => {
  const server = await startDocumentServer(t)
  const { database } = stores
  const loadEncoder = createEncodeLogo()
  const refused: [reason: string, id: string][] = []

  const newFetch = (
    t: Test,
    part: { fetchDocument?: FetchDocument; load?: typeof loadEncoder } = {},
  ) => {
    const fetch = createLogoFetch({
      store: stores.logos,
      fetchDocument: part.fetchDocument ?? createFetchDocument({ allowPrivate: true }),
      loadEncoder: part.load ?? loadEncoder,
      onRefused: (reason, { id }) => refused.push([reason, id]),
      onUnsupported: () => refused.push(['unsupported', '']),
      onError: (error) => t.fail(String(error)),
      now: Date.now,
      interval: 3_600_000,
    })
    t.teardown(fetch.close)
    return fetch
  }
  const { run } = newFetch(t)

  const serve = (path: string, body: Buffer | string, type = 'image/png') =>
    server.script(path, (response) => response.writeHead(200, { 'content-type': type }).end(body))

  const register = async (id: string, uri: string | null) => {
    await database.query(
      `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions, logo_uri)
       values ($1, $1, 'current', 'confidential', '{https://app.example/cb}', '{}', $2)`,
      [id, uri],
    )
  }
  const change = (id: string, uri: string | null) =>
    database.query('update apps set logo_uri = $2 where client_id = $1', [id, uri])

  /** Only if another attempt is planned. */
  const dueNow = (id: string) =>
    database.query(
      `update apps set logo_due_at = now() - interval '1 second'
        where client_id = $1 and logo_due_at is not null`,
      [id],
    )

  const stateOf = async (id: string) => {
    const { rows } = await database.query<{
      digest: string | null
      isDue: boolean
      attempts: number
    }>(
      `select logo_digest as digest, coalesce(logo_due_at < now() + interval '20 hours', false) as "isDue", logo_attempts as attempts
         from apps where client_id = $1`,
      [id],
    )
    return rows[0]
  }
  const logoOf = async (id: string) => {
    const { digest } = (await stateOf(id)) ?? {}
    return digest ? stores.logos.image(digest) : null
  }

  t.test('is fetched once and contains only pixels of one size', async (t) => {
    const original = await square(300, 200)
      .withExif({ IFD0: { Copyright: 'where the photo was taken' } })
      .jpeg()
      .toBuffer()
    await register('one', serve('/photo', original, 'image/jpeg; charset=binary'))
    t.equal(await run(), 1)
    const image = (await logoOf('one')) as Buffer
    const { format, width, height, exif } = await sharp(image).metadata()
    t.match({ format, width, height }, { format: 'png', width: 128, height: 128 })
    t.equal(exif, undefined, 'without what the camera wrote')
    t.equal((await stateOf('one'))?.digest, digestOf(image))
    t.equal(await run(), 0)
    t.equal(server.count('/photo'), 1)
  })

  t.test('accepts PNG, JPEG and WebP', async (t) => {
    for (const type of ['png', 'jpeg', 'webp'] as const) {
      const uri = serve(`/${type}`, await square(64).toFormat(type).toBuffer(), `image/${type}`)
      await register(`type-${type}`, uri)
      await run()
      t.ok(await logoOf(`type-${type}`), type)
    }
  })

  t.test('a new address is fetched, a removed one removes the logo', async (t) => {
    await register('two', serve('/two', await square(10).png().toBuffer()))
    await run()
    const { digest } = (await stateOf('two')) ?? {}
    await change('two', serve('/other', await square(10, 10, '#ff0000').png().toBuffer()))
    t.match(await stateOf('two'), { digest: null, isDue: true }, 'the old one is not shown')
    await run()
    t.not((await stateOf('two'))?.digest, digest)
    await change('two', null)
    t.match(await stateOf('two'), { digest: null, isDue: false })
    t.equal(await run(), 0)
  })

  t.test(
    'a new image at the same address is noticed when the old one is no longer fresh',
    async (t) => {
      const sent: (string | undefined)[] = []
      let current: { image: Buffer | string; etag: string; age: string } = {
        image: await square(50).png().toBuffer(),
        etag: '"v1"',
        age: 'max-age=600',
      }
      const uri = server.script('/changing', (response, { headers }) => {
        sent.push(headers['if-none-match'])
        const { image, etag, age } = current
        const head = { 'content-type': 'image/png', 'cache-control': age, etag }
        if (headers['if-none-match'] === etag) response.writeHead(304, head).end()
        else response.writeHead(200, head).end(image)
      })
      await register('changing', uri)
      const again = async () => {
        await database.query(
          "update apps set logo_due_at = now() - interval '1 second' where client_id = 'changing'",
        )
        t.equal(await run(), 1)
        const { digest, attempts } = (await stateOf('changing'))!
        const { rows } = await database.query<{ seconds: number }>(
          `select extract(epoch from logo_due_at - now())::float8 as seconds from apps
          where client_id = 'changing'`,
        )
        return { digest, attempts, seconds: Math.round((rows[0]?.seconds ?? 0) / 10) * 10 }
      }
      const first = await again()
      t.ok(first.digest)
      t.match(first, { attempts: 0, seconds: 600 })
      t.same(await again(), first, 'not modified')
      current = {
        image: await square(50, 50, '#ff0000').png().toBuffer(),
        etag: '"v2"',
        age: 'no-store',
      }
      const second = await again()
      t.match(second, { attempts: 0, seconds: 300 })
      t.not(second.digest, first.digest)
      t.same(sent, [undefined, '"v1"', '"v1"'])
      current = { image: '<script>', etag: '"v3"', age: 'max-age=99999999' }
      t.match(
        await again(),
        { digest: second.digest, seconds: 86_400 },
        'a hostile one changes nothing',
      )
      server.script('/changing', (response) => response.writeHead(404).end())
      t.match(await again(), { digest: second.digest }, 'nor does one that vanishes')
    },
  )

  t.test('an SVG removes the logo, and its fault is stored', async (t) => {
    const uri = serve('/was-png', await square(50).png().toBuffer())
    await register('was-png', uri)
    await run()
    t.ok(await logoOf('was-png'))
    t.equal((await stores.logos.stateOf('was-png')).fault, null)
    serve(
      '/was-png',
      '<?xml version="1.0"?>\n<!-- by an editor -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    )
    await dueNow('was-png')
    await run()
    t.match(await stateOf('was-png'), { digest: null, isDue: false })
    t.equal((await stores.logos.stateOf('was-png')).fault, 'svg')
    await change('was-png', serve('/png-now', await square(50).png().toBuffer()))
    t.equal((await stores.logos.stateOf('was-png')).fault, null)
    await run()
  })

  t.test('an image that ends the process is tried three times', async (t) => {
    await register('crash', serve('/crash', await square(50).png().toBuffer()))
    for (let attempts = 1; attempts <= 3; attempts++) {
      await dueNow('crash')
      // The process ends here: it neither stores nor fails.
      t.match(await stores.logos.claim(4, 120, 3), [{ id: 'crash', attempts }])
    }
    const { rows } = await database.query<{ due: Date | null }>(
      "select logo_due_at as due from apps where client_id = 'crash'",
    )
    t.equal(rows[0]?.due, null)
    t.equal(await run(), 0)
    await change('crash', serve('/mended', await square(50).png().toBuffer()))
    t.equal(await run(), 1)
    t.ok(await logoOf('crash'))
  })

  t.test('an answer for an address that has changed meanwhile is dropped', async (t) => {
    const image = await square(20, 20, '#00ff00').png().toBuffer()
    const later = serve('/later', await square(20, 20, '#0000ff').png().toBuffer())
    const slow = server.script('/slow', (response) => {
      void change('three', later).then(() =>
        response.writeHead(200, { 'content-type': 'image/png' }).end(image),
      )
    })
    await register('three', slow)
    await run()
    t.match(await stateOf('three'), { digest: null, isDue: true })
    await run()
    const { data } = await sharp((await logoOf('three')) as Buffer)
      .raw()
      .toBuffer({ resolveWithObject: true })
    t.same([...data.subarray(0, 3)], [0, 0, 255])
  })

  t.test('logos of one owner do not delay those of others', async (t) => {
    await database.query(
      `insert into users (id, email, name) values ('loud', 'loud@a.test', 'Loud')`,
    )
    for (let at = 0; at < 12; at++) {
      await register(`loud-${at}`, server.url(`/none-${at}`))
      await database.query('insert into app_owners values ($1, $2, 1)', [`loud-${at}`, 'loud'])
    }
    await register('patient', serve('/patient.png', await square(64).png().toBuffer()))
    await run()
    t.ok((await stateOf('patient'))?.digest, 'in the first turn')
    while ((await run()) > 0);
  })

  t.test('twenty instances fetch a logo once', async (t) => {
    await register('four', serve('/four', await square(30).png().toBuffer()))
    const all = await Promise.all(Array.from({ length: 20 }, () => newFetch(t).run()))
    t.equal(
      all.reduce((sum, one) => sum + one, 0),
      1,
    )
    t.equal(server.count('/four'), 1)
  })

  t.test('hostile images are refused and not tried again for a day', async (t) => {
    // Its `url(` took a quadratic check half a minute.
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(${' '.repeat(262_000)}x)"/></svg>`
    const png = await square(200).png().toBuffer()
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const cases: [name: string, uri: string, reason: string][] = [
      ['svg', serve('/svg', svg, 'image/svg+xml'), 'svg'],
      ['svg-as-png', serve('/svg-as-png', svg), 'svg'],
      ['svg-16', serve('/svg-16', Buffer.from(svg, 'utf16le'), 'image/svg+xml'), 'image'],
      ['svgz', serve('/svgz', gzipSync(svg), 'image/svg+xml'), 'image'],
      ['gif-as-png', serve('/gif-as-png', gif), 'image'],
      ['html', serve('/html', '<script>alert(1)</script>', 'text/html'), 'content_type'],
      ['html-as-png', serve('/html-as-png', '<script>alert(1)</script>'), 'image'],
      ['empty', serve('/empty', ''), 'image'],
      ['cut', serve('/cut', png.subarray(0, png.length / 2)), 'image'],
      ['bomb', serve('/bomb', await claiming(60_000, 60_000)), 'image'],
      ['wide', serve('/wide', await square(30_000, 200).png().toBuffer()), 'image'],
      ['huge', serve('/huge', Buffer.alloc(1024 * 1024 + 1)), 'too_large'],
      [
        'redirect',
        server.script('/redirect', (response) =>
          response.writeHead(302, { location: server.url('/png') }).end(),
        ),
        'redirect',
      ],
      [
        'packed',
        server.script('/packed', (response) =>
          response
            .writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' })
            .end(png),
        ),
        'content_type',
      ],
    ]
    for (const [name, uri, reason] of cases) {
      await register(name, uri)
      t.equal(await run(), 1)
      t.same(refused.at(-1), [reason, name], name)
      t.match(await stateOf(name), { digest: null, isDue: false }, name)
      t.equal((await stores.logos.stateOf(name)).fault, reason, name)
    }
    for (let attempts = 2; attempts <= 3; attempts++) {
      await dueNow('empty')
      t.equal(await run(), 1)
    }
    await dueNow('empty')
    t.equal(await run(), 0, 'three attempts')
  })

  t.test('addresses of our own network are not connected', async (t) => {
    const strict = newFetch(t, { fetchDocument: createFetchDocument({ allowPrivate: false }) })
    let connections = 0
    const own = createServer((_, response) => response.end())
    own.on('connection', () => connections++)
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    t.teardown(() => own.close())
    const { port } = own.address() as AddressInfo
    for (const [at, uri] of [
      `http://127.0.0.1:${port}/logo.png`,
      `https://localhost:${port}/logo.png`,
      'https://169.254.169.254/latest/meta-data',
      `https://[::1]:${port}/logo.png`,
      `https://[::ffff:127.0.0.1]:${port}/logo.png`,
    ].entries()) {
      await register(`own-${at}`, uri)
      t.equal(await strict.run(), 1)
      t.same(refused.at(-1), ['address', `own-${at}`], uri)
    }
    t.equal(connections, 0)
  })

  t.test('a passing fault is tried again, after three times once a day', async (t) => {
    await register(
      'away',
      server.script('/away', (response) => response.writeHead(503).end()),
    )
    for (let attempts = 1; attempts <= 4; attempts++) {
      t.equal(await run(), 1)
      t.match(await stateOf('away'), { attempts, isDue: attempts < 3 })
      await dueNow('away')
    }
    serve('/away', await square(50).png().toBuffer())
    await run()
    t.ok(await logoOf('away'))
  })

  t.test('a logo that finds no free slot is tried later, and no attempt is counted', async (t) => {
    const busy = newFetch(t, { fetchDocument: () => Promise.reject(new OutboundBusy()) })
    await register('busy', serve('/busy', await square(50).png().toBuffer()))
    for (let times = 0; times < 4; times++) {
      t.equal(await busy.run(), 1)
      t.match(await stateOf('busy'), { digest: null, isDue: true, attempts: 0 })
      await dueNow('busy')
    }
    await run()
    t.ok(await logoOf('busy'))
  })

  t.test('without the image library logos are off, with one warning', async (t) => {
    const off = newFetch(t, { load: async () => null })
    await register('off', serve('/off', await square(5).png().toBuffer()))
    await off.run()
    await off.run()
    t.equal(refused.filter(([reason]) => reason === 'unsupported').length, 1)
    t.match(
      await stateOf('off'),
      { digest: null, isDue: true, attempts: 0 },
      'another instance may have it',
    )
    t.equal(server.count('/off'), 0)
  })

  t.test('a logo that nothing needs is removed, a shared one stays', async (t) => {
    const uri = serve('/shared', await square(40, 40, '#123456').png().toBuffer())
    await register('first', uri)
    await register('second', uri)
    await run()
    const digest = (await stateOf('first'))?.digest as string
    t.equal((await stateOf('second'))?.digest, digest)
    const age = () =>
      database.query("update logos set released_at = released_at - interval '2 hours'")
    await change('first', null)
    await age()
    await stores.removeExpired()
    t.ok(await stores.logos.image(digest), 'the other app has it')
    await database.query("delete from apps where client_id = 'second'")
    await age()
    await stores.removeExpired()
    t.equal(await stores.logos.image(digest), null)
  })
})

t.test('another process decodes an image', async (t) => {
  const image = (await square(64).png().toBuffer()).toString('base64')
  const module = JSON.stringify(new URL('../../../src/core/logos/logo-image.ts', import.meta.url))
  const script = `const { createEncodeLogo } = await import(${module})
    const encode = await createEncodeLogo()()
    const { length } = await encode(Buffer.from('${image}', 'base64'))
    const libraries = process.report.getReport().sharedObjects.filter((path) => path.includes('sharp'))
    console.log(JSON.stringify({ isEncoded: length > 0, libraries }))`
  const loader = new URL('../../support/typescript/register.mjs', import.meta.url).href
  const options = [`--import=${loader}`, '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  t.same(JSON.parse(stdout), { isEncoded: true, libraries: [] })
})
