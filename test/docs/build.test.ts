/** `npm run build:docs`: the errors that it reports, and its output. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'scripts/docs/dist/build.js')
const texts = {
  'docs/README.md': '# All\n\n## You\n\n- [One](one.md): the first\n- [Two](two.md#b)\n',
  'docs/one.md': '# One\n\n[two](two.md#b), [a test](../test/x.test.ts)\n',
  'docs/two.md': '# Two\n\n## B\n\n[back](#b)\n',
  'README.md': '# Overview\n',
  'CONTRIBUTING.md': '# Contributing\n',
  'SECURITY.md': '# Security\n',
  'CHANGELOG.md': '# Changes\n',
  'test/faults/README.md': '# Faults\n',
  'examples/README.md': '# Examples\n',
  'examples/data-api/README.md': '# A data API\n',
}

const build = (changed: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-docs-'))
  for (const [path, text] of Object.entries({ ...texts, ...changed })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  cpSync(join(root, 'docs/images'), join(folder, 'docs/images'), { recursive: true })
  const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder })
  const page = (name: string) => readFileSync(join(folder, `dist/docs/pages/${name}.html`), 'utf8')
  return { status, stderr: String(stderr), page }
}

t.test('a fault on a page fails the build and is named', async (t) => {
  const faults: [what: string, text: string, said: string | RegExp][] = [
    ['no title', 'Words', 'docs/one.md must begin with its title'],
    ['two titles', '# One\n\n# Two', 'docs/one.md must begin with its title'],
    ['a heading that is not there', '# One\n\n[x](two.md#c)', 'no heading for two.md#c'],
    ['one of its own', '# One\n\n[x](#c)', 'no heading for #c'],
    ['in a table', '# One\n\n| a |\n|---|\n| [x](two.md#c) |', 'no heading for two.md#c'],
    [
      'an unknown language',
      '# One\n\n```cobol\nSTOP RUN.\n```',
      'unknown language of a code fence: cobol',
    ],
    ['a script', '# One\n\n<script>alert(1)</script>', 'HTML that is not allowed'],
    ['a style', '# One\n\n<p style="color: red">', 'HTML that is not allowed'],
    [
      'a handler',
      '# One\n\n<img src="images/consent.png" onload="x()">',
      'HTML that is not allowed',
    ],
    ['a frame in a line', '# One\n\nWords <iframe src="x"> here', 'HTML that is not allowed'],
    [
      'a picture elsewhere',
      '# One\n\n<img src="https://a.example/x.png">',
      'is not in docs/images',
    ],
    ['a picture that is not there', '# One\n\n<img src="images/no.png">', 'is not in docs/images'],
  ]
  for (const [what, text, said] of faults) {
    const { status, stderr } = build({ 'docs/one.md': text })
    t.not(status, 0, what)
    t.match(stderr, said, what)
  }
  const { status, stderr } = build({ 'docs/README.md': '# All\n\n## You\n\n- [Gone](gone.md)\n' })
  t.not(status, 0)
  t.match(stderr, 'no page: [Gone](gone.md)')
})

t.test('links lead to pages, and links to other files are listed', async (t) => {
  const { status, page } = build()
  t.equal(status, 0)
  t.match(page('one'), '<a href="/docs/two#b">two</a>')
  t.match(page('one'), 'a test (<code>test/x.test.ts</code>)')
  t.match(page('two'), '<a href="#b">back</a>')
  t.match(page('index'), '<a href="/docs/one">One</a>')
})

t.test('adjacent code fences form one example, others do not', async (t) => {
  const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
  const inList = (text: string) => text.replaceAll('\n', '\n   ')
  const lines = [
    '# One',
    [fence('sh', 'first'), fence('js', '1 < 2'), fence('python', 'third')].join('\n'),
    [fence('sh', 'next'), fence('sh', 'another')].join('\n'),
    fence('js', 'apart'),
    fence('python', 'by a line'),
    'Words',
    [fence('js', 'an answer'), fence('json', '{}')].join('\n'),
    inList(`1. In a list\n\n${fence('sh', 'deep')}\n${fence('js', 'deeper')}`),
  ]
  const { status, page } = build({ 'docs/one.md': lines.join('\n\n') })
  t.equal(status, 0)
  const html = page('one')
  t.equal(html.split('class="example"').length - 1, 2)
  t.equal(html.split('class="sample"').length - 1, 11)
  t.same(
    [...html.matchAll(/type="radio" name="([\w-]+)" value="(\w+)"( checked)?/g)].map((one) =>
      one.slice(1).join(' '),
    ),
    [
      'example-1 sh  checked',
      'example-1 js ',
      'example-1 python ',
      'example-2 sh  checked',
      'example-2 js ',
    ],
  )
  t.match(html, '&lt;', 'escaped')
})
