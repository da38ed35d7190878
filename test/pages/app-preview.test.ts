/** Logos that makers and operators upload, and the preview of the consent page beside the form of an app. */
import { parse } from 'node-html-parser'
import sharp from 'sharp'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { formFields, mainForm, type VisitedPage, type Visitor } from '../support/visitor.ts'
import { createApp, type TestApp } from '../support/world.ts'
import { visitAs } from './operator/operator-visit.ts'
import { wordsOf } from './organization-visit.ts'

const square = (background: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background } })
const bytesOf = (image: Buffer) => new Uint8Array(image)

/** Submits the main form as a browser does that sends a file. */
const submitFile = async (
  visitor: Visitor,
  page: VisitedPage,
  fields: Record<string, string>,
  file?: Buffer,
) => {
  const form = mainForm(page)
  const body = new FormData()
  for (const [name, value] of formFields(form))
    if (!(name in fields) && !name.endsWith('_file')) body.append(name, value)
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('uploaded_logo_file', new Blob(file ? [bytesOf(file)] : []), file ? 'logo.png' : '')
  const url = new URL(form.getAttribute('action') ?? '', page.url)
  const response = await visitor.fetch(url, { method: 'POST', body })
  const location = response.headers.get('location')
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    dom: parse(text),
    page: { ...page, url, text, dom: parse(text) },
    next: location === null ? null : await visitor.get(location),
  }
}

const faultOf = ({ dom }: Pick<VisitedPage, 'dom'>) =>
  dom.querySelector('#uploaded_logo-error')?.text.trim()
const frameOf = ({ dom }: Pick<VisitedPage, 'dom'>) => dom.querySelector('iframe')
const framed = (page: Pick<VisitedPage, 'dom'>) =>
  parse(frameOf(page)?.getAttribute('srcdoc') ?? '')

await onEachBackend('previews and logos of apps', async (t, { running, issuer, stores, world }) => {
  const { operator } = running
  const { ana, kim } = world
  const maker = await signedIn(issuer, ana)
  const { visitor: console } = await visitAs(running, stores, 'apps:read', 'apps:write')
  const blue = await square('#0000ff').png().toBuffer()
  const owned = (part: Record<string, unknown> = {}) =>
    createApp(running, { name: 'Letter Press', owners: [ana.id], ...part })
  const changeOf = ({ client_id }: TestApp) => `/developer/apps/${client_id}/change`
  const read = async ({ client_id }: TestApp): Promise<Json> =>
    (await operator('GET', `/apps/${client_id}`)).body
  const waiting = async ({ client_id }: TestApp): Promise<Json> =>
    (await operator('GET', '/app-changes')).body.items.find(
      (one: Json) => one.client_id === client_id,
    )

  await t.test('a maker uploads a logo, which is encoded again', async (t) => {
    const app = await owned()
    const sent = await submitFile(maker, await maker.get(changeOf(app)), {}, blue)
    t.match(wordsOf(sent.next as VisitedPage), 'Saved.')
    const { uploaded_logo: digest } = await read(app)
    t.match(digest, /^[0-9a-f]{64}$/)
    const answer = await fetch(`${issuer}/logos/${digest}`)
    t.equal(answer.headers.get('content-type'), 'image/png')
    const image = Buffer.from(await answer.arrayBuffer())
    t.match(await sharp(image).metadata(), { width: 128, height: 128 })
    t.notOk(image.equals(blue))
    const page = sent.next as VisitedPage
    t.equal(page.dom.querySelector('img.logo')?.getAttribute('src'), `/logos/${digest}`)

    await t.test('an address that is given later takes its place', async (t) => {
      const logo_uri = 'https://letters.example/logo.png'
      await maker.submit(await maker.get(changeOf(app)), { logo_uri })
      t.match(await read(app), { logo_uri, uploaded_logo: null })
      const other = await square('#00ff00').webp().toBuffer()
      await submitFile(maker, await maker.get(changeOf(app)), {}, other)
      t.match(await read(app), { logo_uri: null, uploaded_logo: /^[0-9a-f]{64}$/ })
      t.not((await read(app)).uploaded_logo, digest)
      const both = { logo_uri: 'https://letters.example/other.png' }
      const refused = await submitFile(maker, await maker.get(changeOf(app)), both, blue)
      t.match([refused.status, faultOf(refused)], [400, 'not both'])
    })

    await t.test('it can be removed', async (t) => {
      const form = await maker.get(changeOf(app))
      await maker.submit(form, { uploaded_logo_removed: 'yes' })
      t.match(await read(app), { uploaded_logo: null, logo_uri: null })
    })
  })

  await t.test('of a reviewed app, it waits for the operator', async (t) => {
    const app = await owned({ reviewed: true })
    const sent = await submitFile(maker, await maker.get(changeOf(app)), {}, blue)
    t.match(wordsOf(sent.next as VisitedPage), 'You asked the operator')
    t.match(await read(app), { uploaded_logo: null, reviewed: true })
    const change = await waiting(app)
    const digest = change.changes[0].after
    t.match(change.changes, [{ field: 'uploaded_logo', before: null }])
    await operator('POST', `/app-changes/${change.id}`, { decision: 'approve' })
    t.match(await read(app), { uploaded_logo: digest, reviewed: true })
    t.equal((await fetch(`${issuer}/logos/${digest}`)).status, 200)
  })

  await t.test('hostile and large files are refused at the field', async (t) => {
    const app = await owned()
    const png = await square('#123456').png().toBuffer()
    const huge = Buffer.from(png)
    huge.writeUInt32BE(60_000, 16)
    huge.writeUInt32BE(60_000, 20)
    for (const [file, status, words] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, 'is an SVG'],
      [Buffer.from('GIF89a\x01\0\x01\0', 'latin1'), 400, 'cannot be used'],
      [png.subarray(0, 60), 400, 'cannot be used'],
      [huge, 400, 'cannot be used'],
      [Buffer.alloc(1024 * 1024 + 1, png), 413, 'larger than 1 MiB'],
      [Buffer.alloc(3 * 1024 * 1024, 1), 413, 'larger than 1 MiB'],
    ] as const) {
      const form = await maker.get(changeOf(app))
      const refused = await submitFile(maker, form, { name: 'Typed' }, file as Buffer)
      t.match([refused.status, faultOf(refused)], [status, words])
      t.equal(refused.dom.querySelector('#name')?.getAttribute('value'), 'Typed', 'kept')
    }
    t.match(await read(app), { uploaded_logo: null, name: 'Letter Press' })
    const form = await maker.get(changeOf(app))
    const unknown = await maker.submit(form, { uploaded_logo: 'f'.repeat(64) })
    t.match([unknown.status, faultOf(unknown)], [400, 'no longer here'])
  })

  await t.test('forms that cannot be read are refused', async (t) => {
    const app = await owned()
    const at = changeOf(app)
    const send = (type: string, body: string) =>
      maker.fetch(new URL(at, issuer), {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
    const part = (name: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n`
    const typed = 'multipart/form-data; boundary=b'
    t.equal((await send('multipart/form-data', 'x')).status, 400)
    t.equal((await send(typed, part('name'))).status, 400, 'no end')
    t.equal((await send(typed, `${part('name').repeat(2500)}--b--`)).status, 413)
    t.equal((await send(typed, `${part('__proto__')}--b--`)).status, 403, 'no token')
    const foreign = await signedIn(issuer, kim)
    const own = await maker.get(at)
    const stolen = await submitFile(foreign, own, {}, blue)
    t.equal(stolen.status, 403, 'a token of another session')
  })

  await t.test('the console registers an app with a logo, and previews it', async (t) => {
    const form = await console.get('/operator/apps/new')
    t.notOk(frameOf(form), 'on demand')
    const typed = {
      name: 'Palette <b>',
      redirect_uris: 'https://palette.example/cb',
      decision: 'preview',
      preview_language: 'de',
      preview_width: 'tablet',
    }
    const { page, ...shown } = await submitFile(console, form, typed, blue)
    t.equal(shown.status, 200)
    const frame = frameOf(shown)
    t.equal(frame?.getAttribute('sandbox'), 'allow-same-origin')
    t.equal(frame?.getAttribute('width'), '768')
    t.match(shown.headers.get('content-security-policy'), "frame-ancestors 'none'")
    const inner = framed(shown)
    t.equal(inner.querySelector('html')?.getAttribute('lang'), 'de')
    t.match(inner.querySelector('h1')?.text, 'Palette <b>')
    t.ok(inner.querySelector('.preview-mark'), 'it says that it is a preview')
    t.equal(inner.querySelector('base')?.getAttribute('target'), '_blank')
    for (const field of inner.querySelectorAll('input[name="_csrf"]'))
      t.equal(field.getAttribute('value'), '')
    const logo = inner.querySelector('.app img.logo')?.getAttribute('src')
    t.match(logo, /^\/logos\/[0-9a-f]{64}$/)
    t.equal((await operator('GET', '/apps?name=Palette')).body.items.length, 0, 'nothing is saved')

    const saved = await submitFile(console, page, {})
    t.match(wordsOf(saved.next as VisitedPage), 'Palette')
    const [app] = (await operator('GET', '/apps?name=Palette')).body.items
    t.equal(`/logos/${app.uploaded_logo}`, logo, 'the image of the preview')
  })

  await t.test('the preview is the consent page of a maker, also with faults', async (t) => {
    const app = await owned({ permissions: ['records:create', 'records:delete'] })
    const typed = {
      decision: 'preview',
      name: '',
      homepage_uri: 'javascript:alert(1)',
      policy_uri: 'no address',
      redirect_uris: 'http://letters.example/cb',
      logo_uri: 'https://letters.example/new.png',
    }
    const page = await maker.submit(await maker.get(changeOf(app)), typed)
    t.equal(page.status, 200)
    t.match(wordsOf(page), 'is fetched after you save')
    const inner = framed(page)
    t.match(inner.querySelector('h1')?.text, 'Letter Press', 'the stored name')
    t.notMatch(inner.outerHTML, 'javascript:')
    t.ok(inner.querySelector('button[name="decision"][value="approve"]'))
    const actions = inner.querySelectorAll('main form').map((one) => one.getAttribute('action'))
    t.ok(actions.includes('/interaction/'), 'of no request')
    t.equal((await read(app)).name, 'Letter Press')
    const foreign = await signedIn(issuer, kim)
    t.equal((await foreign.get(changeOf(app))).status, 404, 'only its maker')
  })
})
