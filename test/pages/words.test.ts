import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const views = join(import.meta.dirname, '../../views')
// The demo is separate from the pages and has its own words.
const files = readdirSync(views, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.eta') && !name.startsWith('demo'),
)

/** The fixed words of a view: its text, and spoken attributes. */
const ownWords = (view: string): string[] => {
  const bare = view.replaceAll(/<%[\s\S]*?%>/g, '')
  const spoken = /\s(?:alt|aria-label|lang|placeholder|title)="([^"]*)"/g
  const attributes = [...bare.matchAll(spoken)].map(([, value]) => value as string)
  return [...attributes, ...bare.split(/<[^>]*>/)].filter((one) => /\p{L}/u.test(one))
}

t.test('every word of a page is in the language file, none in its view', async (t) => {
  t.ok(files.length > 50, 'the views were found')
  for (const file of files) t.same(ownWords(readFileSync(join(views, file), 'utf8')), [], file)
})

t.test('the check finds words in a view', async (t) => {
  t.same(ownWords('<p class="lead">Back <bdi><%= it.name %></bdi></p>'), ['Back '])
  t.same(ownWords('<html lang="en">'), ['en'])
  t.same(ownWords('<a title="Go <%= it.words %>" href="/x">→ <%= it.words %></a>'), ['Go '])
  t.same(ownWords('<b <% if (it.a > 1) { %>hidden<% } %>><%~ include("/partials/x") %></b> ·'), [])
})
