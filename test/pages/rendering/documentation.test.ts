import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type HTMLElement, parse } from 'node-html-parser'
import t from 'tap'
import { textIn } from '../../../src/words/text.ts'
import { startLatchkey } from '../../support/latchkey.ts'
import { storesNamed } from '../../support/open-stores.ts'

const stores = (await storesNamed('embedded')) ?? (await storesNamed('servers'))
if (!stores) throw new Error('no store to test with')
const running = await startLatchkey(stores, {
  environment: { BRAND_NAME: 'Doorman & Co', BRAND_LOGO_URI: 'https://brand.example/logo.png' },
})
t.teardown(async () => {
  await running.stop()
  await stores.drop()
})
const { issuer } = running

interface Visited {
  status: number
  headers: Headers
  html: HTMLElement
}

const get = async (path: string, init: RequestInit = {}) => {
  const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) }
  const response = await fetch(issuer + path, { redirect: 'manual', ...init, headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const visit = async (path: string): Promise<Visited> => {
  const { response, bytes } = await get(path)
  return { status: response.status, headers: response.headers, html: parse(bytes.toString()) }
}

const addressesIn = (html: HTMLElement) => [
  ...html.querySelectorAll('a[href]').map((one) => one.getAttribute('href') ?? ''),
  ...html.querySelectorAll('[src]').map((one) => one.getAttribute('src') ?? ''),
  ...html.querySelectorAll('[srcset]').map((one) => one.getAttribute('srcset') ?? ''),
  ...html.querySelectorAll('link[href]').map((one) => one.getAttribute('href') ?? ''),
]

/** Every documentation page that is linked from the first one. */
const walkAll = async () => {
  const pages = new Map<string, Visited>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const page = await visit(path)
    pages.set(path, page)
    for (const address of addressesIn(page.html)) {
      const [target = ''] = address.split('#', 1)
      if (/^\/docs(\/|$)/.test(target) && !target.startsWith('/docs/images/')) waiting.push(target)
    }
  }
  return pages
}

const pages = await walkAll()

t.test('only the operator’s logo may come from another host', async (t) => {
  for (const path of ['/docs', '/login']) {
    const policy = (await visit(path)).headers.get('content-security-policy')
    t.match(policy, "img-src 'self' data: https://brand.example;", path)
  }
})

t.test('every text in docs has a page, at most two clicks from the first', async (t) => {
  const texts = readdirSync(join(import.meta.dirname, '../../../docs'), {
    recursive: true,
    encoding: 'utf8',
  })
  for (const name of texts.filter((one) => one.endsWith('.md'))) {
    const path = `/docs/${name}`.replace(/\.md$/, '').replace(/\/README$/, '')
    t.ok(pages.has(path), path)
  }
  for (const name of [
    'overview',
    'contributing',
    'changelog',
    'reporting-weaknesses',
    'faults',
    'examples',
  ])
    t.ok(pages.has(`/docs/${name}`), name)
})

t.test(
  'each page is complete, the same for everyone, with the common security policy',
  async (t) => {
    for (const [path, { status, headers, html }] of pages) {
      t.equal(status, 200, path)
      t.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
      t.equal(headers.get('set-cookie'), null, `${path}: no cookie`)
      t.match(headers.get('cache-control'), /^public, max-age=\d+$/, path)
      t.equal(headers.get('x-content-type-options'), 'nosniff', path)
      t.equal(headers.get('x-frame-options'), 'DENY', path)
      t.equal(headers.get('referrer-policy'), 'no-referrer', path)
      const policy = headers.get('content-security-policy') ?? ''
      t.match(policy, "default-src 'none'", path)
      t.match(policy, "script-src 'self';", path)
      t.match(policy, "style-src 'self';", path)
      t.notMatch(policy, /unsafe|\*/, path)

      t.equal(html.querySelectorAll('h1').length, 1, `${path}: one title`)
      t.equal(html.querySelectorAll('[style], style, script:not([src])').length, 0, path)
      t.notMatch(html.toString(), / on[a-z]+="/, path)
      t.match(html.querySelector('title')?.text, ' · Doorman & Co', `${path}: the brand`)
      const ids = html.querySelectorAll('[id]').map((one) => one.id)
      t.equal(new Set(ids).size, ids.length, `${path}: each id once`)
      const landmarks = html
        .querySelectorAll('[role="region"]')
        .map((one) => one.getAttribute('aria-label'))
      t.equal(new Set(landmarks).size, landmarks.length, `${path}: regions have names of their own`)
    }
  },
)

t.test('no link is broken', async (t) => {
  const seen = new Map<string, number>()
  const statusOf = async (path: string) => {
    const known = seen.get(path) ?? (await get(path)).response.status
    seen.set(path, known)
    return known
  }
  for (const [path, { html }] of pages) {
    for (const address of addressesIn(html)) {
      if (/^(https?|mailto):/.test(address)) continue
      const [target = '', anchor] = address.split('#', 2)
      t.ok(target === '' || target.startsWith('/'), `${path}: ${address}`)
      if (target !== '') t.equal(await statusOf(target), 200, `${path}: ${address}`)
      const page = target === '' ? html : pages.get(target)?.html
      if (anchor !== undefined) t.ok(page?.getElementById(anchor), `${path}: ${address}`)
    }
  }
})

t.test('marks the current page and links its neighbours', async (t) => {
  for (const [path, { html }] of pages) {
    const current = html
      .querySelectorAll('.pages.column [aria-current="page"]')
      .map((one) => one.getAttribute('href'))
    t.ok(current.length <= 1, path)
    if (current.length === 1) t.equal(current[0], path)
  }
  const next = (path: string, rel: string) =>
    pages.get(path)?.html.querySelector(`.pager [rel="${rel}"]`)?.getAttribute('href')
  for (const [path, { html }] of pages) {
    const following = next(path, 'next')
    if (following) t.equal(next(following, 'prev'), path, `${path} and back`)
    // Decisions are not in the order of the pages.
    else if (path !== '/docs' && !path.startsWith('/docs/decisions'))
      t.ok(html.querySelector('.pager [rel="prev"]'), `${path}: the last`)
  }
})

t.test('answers HEAD, If-None-Match and a changed page', async (t) => {
  for (const path of ['/docs', '/docs/for-apps', '/docs/images/consent.png']) {
    const { response, bytes } = await get(path)
    const etag = response.headers.get('etag') ?? ''
    t.match(etag, /^"[\w-]{43}"$/, path)
    const head = await get(path, { method: 'HEAD' })
    t.equal(head.response.status, 200, path)
    t.equal(head.bytes.length, 0, path)
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
      t.equal(head.response.headers.get(name), response.headers.get(name), `${path}: ${name}`)
    t.equal(Number(head.response.headers.get('content-length')), bytes.length, path)
    const again = await get(path, { headers: { 'if-none-match': `W/${etag}` } })
    t.equal(again.response.status, 304, path)
    t.equal(again.bytes.length, 0, path)
    const other = await get(path, { headers: { 'if-none-match': '"other"' } })
    t.equal(other.response.status, 200, path)
  }
})

t.test('a trailing slash redirects to the page', async (t) => {
  for (const target of ['/docs', '/docs/for-apps', '/docs/decisions']) {
    const path = `${target}/`
    const { response } = await get(path)
    t.equal(response.status, 308, path)
    t.equal(response.headers.get('location'), target, path)
  }
})

t.test('an unknown path gets the not-found page, whatever the spelling', async (t) => {
  const paths = [
    '/docs/nothing',
    '/docs/index',
    '/docs/for-apps.md',
    '/docs/for-apps.html',
    '/docs/FOR-APPS',
    '/docs//for-apps',
    '/docs/nothing/',
    '/docs/images/',
    '/docs/images/nothing.png',
    '/docs/pages.json',
    '/docs/pages/for-apps.html',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/images/constructor',
    '/docs/%00',
    '/docs/for-apps%00',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/images/..%2fpages.json',
    '/docs/images/..%5c..%5cpackage.json',
    '/docs/%2f%2fevil.example/',
    '/docs//evil.example/',
  ]
  for (const path of paths) {
    const { status, headers, html } = await visit(path)
    t.equal(status, 404, path)
    t.equal(headers.get('location'), null, path)
    // Some of these paths belong to the server once the dots are removed.
    const isInside = new URL(path, issuer).pathname.startsWith('/docs/')
    const words = isInside ? textIn('en').error.noDocument : textIn('en').error.notFound
    t.equal(html.querySelector('h1')?.text, words.heading, path)
    const ways = html.querySelectorAll('main a').map((one) => one.getAttribute('href'))
    t.same(ways, [isInside ? '/docs' : '/'], `${path}: a way on`)
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { response } = await get('/docs/for-apps', { method })
    t.equal(response.status, 405, method)
  }
})

t.test('the metadata links to the documentation', async (t) => {
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const { bytes } = await get(`/.well-known/${name}`)
    const address: string = JSON.parse(bytes.toString()).service_documentation
    t.equal(address, `${issuer}/docs/for-apps`)
    t.ok(pages.has(new URL(address).pathname))
  }
})
