import t from 'tap'
import { escapeHtml } from '../../../src/http/server/escape.ts'

t.test('values in a view are escaped, and hidden characters removed', async (t) => {
  t.equal(escapeHtml(`<a b='c' d="e">&`), '&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;')
  t.equal(escapeHtml('Ac\u200bme\u202e\ufeff'), 'Acme')
  t.equal(escapeHtml(7), '7')
  t.equal(escapeHtml(null), 'null')
})

t.test('values that a page only carries stay unchanged', async (t) => {
  t.equal(escapeHtml({ exact: '"\u200b\u202e<' }), '&quot;\u200b\u202e&lt;')
})
