/** Files of attachments: how they are stored and read, in a directory and in S3. */
import { readdir } from 'node:fs/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import {
  type AttachmentSettings,
  createAttachments,
} from '../../../examples/data-api/data/attachments/attachments.ts'
import { readAttachmentSettings } from '../../../examples/data-api/data/attachments/settings.ts'
import { images, png } from '../../support/images.ts'
import { startS3, withS3 } from '../../support/s3-server.ts'
import { temporary, url } from './files.ts'

const open = (t: Test, storage: AttachmentSettings['storage'], more = {}) => {
  const attachments = createAttachments({ url, allowPrivate: false, storage, ...more })
  const server = Fastify({ exposeHeadRoutes: false })
  attachments.routes(server)
  t.teardown(() => server.close())
  const store = (given: string, organization = 'org1') =>
    attachments.store(organization, given, 'cols[0]')
  const read = (val: string, more = {}) => server.inject({ url: new URL(val).pathname, ...more })
  return { attachments, server, store, read }
}

type Start = (t: Test) => Promise<AttachmentSettings['storage']>

const storages: [name: string, start: Start, options: typeof withS3][] = [
  ['a directory', temporary, {}],
  ['S3', startS3, withS3],
]

for (const [name, start, options] of storages)
  t.test(name, options, async (t) => {
    const storage = await start(t)
    const { attachments, store, read } = open(t, storage)
    const other = open(t, storage, { url: 'https://other.example' })

    t.test('an image is hosted and can be read in part', async (t) => {
      const file = await store(png.toString('base64'))
      t.match(file, { size: 18, type: 'image/png' })
      t.match(file.val, /^http:\/\/files\.example\/files\/[0-9a-f]{16}-[0-9a-f]{48}$/)
      const whole = await read(file.val)
      t.same(whole.rawPayload, png)
      t.match(whole.headers, {
        'accept-ranges': 'bytes',
        'content-disposition': 'inline',
        'content-length': /^18$/,
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': 'image/png',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      const head = await read(file.val, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
      t.match(head, { statusCode: 200, body: '', headers: { 'content-length': /^18$/ } })

      const ranges: [range: string, status: number, body: Buffer | string, found?: string][] = [
        ['bytes=8-9', 206, '01', 'bytes 8-9/18'],
        ['bytes=16-', 206, '89', 'bytes 16-17/18'],
        ['bytes=-3', 206, '789', 'bytes 15-17/18'],
        ['bytes=8-999999', 206, '0123456789', 'bytes 8-17/18'],
        ['bytes=18-', 416, '', 'bytes */18'],
        ['bytes=9-8', 416, '', 'bytes */18'],
        ['bytes=0-1,4-5', 200, png],
        ['bytes=x', 416, '', 'bytes */18'],
        ['lines=0-1', 200, png],
      ]
      for (const [range, status, body, found] of ranges) {
        const part = await read(file.val, { headers: { range } })
        t.equal(part.statusCode, status, range)
        t.same(part.rawPayload, Buffer.from(body), range)
        t.equal(part.headers['content-range'], found, range)
      }
    })

    t.test('a hosted path is the same on every instance', async (t) => {
      const file = await store(png.toString('base64'))
      t.same((await other.read(file.val)).rawPayload, png)
      t.same(await store(file.val), file, 'what was read can be written back')
      const there = await other.store(file.val)
      t.same(new URL(there.val).pathname, new URL(file.val).pathname, 'also at another instance')
      await other.attachments.discard('org1', there)
      await attachments.discard('org1', await store(file.val))
      t.equal((await read(file.val)).statusCode, 200, 'a failed write keeps what another stored')
    })

    t.test(
      'a hosted path of another organization looks like one that does not exist',
      async (t) => {
        const { val } = await store(png.toString('base64'))
        const unknown = `${val.slice(0, -4)}0000`
        for (const instance of [store, other.store]) {
          const messages = []
          for (const given of [val, unknown])
            messages.push(await instance(given, 'org2').catch(({ message }) => message))
          t.match(messages[0], /^cols\[0\]: /)
          t.equal(messages[0], messages[1])
        }
        t.not((await store(png.toString('base64'), 'org2')).val, val)
      },
    )

    t.test('a discarded file is gone', async (t) => {
      const file = await store(png.toString('base64'))
      await attachments.discard('org1', file)
      t.equal((await read(file.val)).statusCode, 404)
      await t.rejects(store(file.val), { message: 'cols[0]: there is no such file' })
    })

    t.test('only keys of files lead to files', async (t) => {
      const { val } = await store(png.toString('base64'))
      const path = new URL(val).pathname
      const wrong = `/files/ /files/x /files/..%2f..%2fetc%2fpasswd /files/%2e%2e /files/%00
        /files/..%5c..%5cwindows /files/%252e%252e%252f ${path}.json ${path}%00 ${path}%2f..
        ${path.toUpperCase()} /files/./../server.ts /files/${'a'.repeat(5000)} ${path}x`
      for (const one of wrong.split(/\s+/)) {
        const { statusCode, body } = await read(`${url}/`, { url: one })
        t.ok(statusCode >= 400 && statusCode < 500, one)
        t.notMatch(body, 'PNG')
      }
      for (const method of ['POST', 'PUT', 'DELETE'])
        t.equal((await read(val, { method })).statusCode, 404, method)
    })
  })

t.test('the type of an image is that of its content', async (t) => {
  const { store, read } = open(t, await temporary(t))
  for (const [type, content] of images) {
    const base64 = content.toString('base64')
    const wrapped = base64.replace(/.{4}/g, '$&\n')
    for (const given of [
      base64,
      wrapped,
      `data:text/html;base64,${base64}`,
      `data:;base64,${base64}`,
      `DATA:image/svg+xml;charset=utf-8;BASE64,${base64}`,
    ]) {
      const file = await store(given)
      t.match(file, { type, size: content.length }, given)
      t.match((await read(file.val)).headers, { 'content-type': type })
    }
  }
})

t.test('anything else is refused', async (t) => {
  const storage = await temporary(t)
  const { store } = open(t, storage, { mostBytes: 30 })
  const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
  const wrong = [
    ...['x', '=', '====', ' ', 'data:', 'data:image/png;base64,', '/files/x', '//files.example/x'],
    ...['<svg></svg>', '<html></html>', '%PDF-1.7', 'BM000000', 'RIFF0000WAVE', ''].map(base64),
    base64('<svg></svg>').replace(/^/, 'data:image/svg+xml;base64,'),
    'data:image/svg+xml,<svg></svg>',
    png.toString('base64').slice(1),
    `${png.toString('base64')}=`,
    png.toString('base64').replace('/', '_').replace('i', '-'),
    `${png.toString('base64')}<script>`,
    Buffer.concat([png, Buffer.alloc(20)]).toString('base64'),
    `${url}/files/`,
    `${url}/files/../files/x`,
    'x'.repeat(100_000),
  ]
  for (const given of wrong)
    await t.rejects(
      store(given),
      { message: /^cols\[0\]: /, extensions: { code: 'bad-input', place: 'cols[0]' } },
      given.slice(0, 100),
    )
  t.same(await readdir(storage), [], 'nothing is stored')
})

t.test('settings', async (t) => {
  const read = (environment: Record<string, string>) => readAttachmentSettings(environment, url)
  t.same(read({}), { url, allowPrivate: false, storage: 'attachments' })
  t.match(read({ WEBHOOK_ALLOW_PRIVATE: 'true' }), { allowPrivate: true })
  t.match(read({ WEBHOOK_ALLOW_PRIVATE: 'false' }), { allowPrivate: false })
  t.match(read({ ATTACHMENTS_DIRECTORY: '/srv/files' }), { storage: '/srv/files' })
  const s3 = {
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  const storage = { endpoint: 'https://s3.example', bucket: 'files', region: 'us-east-1' }
  t.match(read({ ...s3, ATTACHMENTS_DIRECTORY: 'x' }), { storage })
  t.match(read({ ...s3, S3_REGION: 'eu-1' }), { storage: { ...storage, region: 'eu-1' } })
  for (const name of Object.keys(s3)) t.throws(() => read({ ...s3, [name]: '' }), { message: name })
  const wrong: Record<string, string>[] = [
    { WEBHOOK_ALLOW_PRIVATE: 'yes' },
    { ...s3, S3_ENDPOINT: 's3.example' },
  ]
  for (const environment of wrong) t.throws(() => read(environment))
})
