/** Only small SVGs of shapes are drawn. */
import t from 'tap'
import { createDrawSvg } from '../../../src/core/logos/draw-svg.ts'
import { isPlainSvg } from '../../../src/core/logos/svg-rules.ts'

const svg = (body: string, attributes = 'viewBox="0 0 10 10"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`
const rect = '<rect width="5" height="5"/>'
const isPlain = (text: string) => isPlainSvg(Buffer.from(text))

t.test('shapes, gradients, styles and parts of the same document are plain', async (t) => {
  for (const text of [
    svg(rect),
    svg(`<title>A &amp; B</title>${rect}`),
    svg(`<g id="a">${rect}</g><use xlink:href="#a"/><use href='#a'/>`),
    svg('<style>.a{fill:url(#b)}</style><path class="a" d="M0 0h9"/>'),
    `\ufeff<?xml version="1.0"?>\n<!-- made -->${svg(rect)}`,
  ])
    t.ok(isPlain(text), text)
})

t.test('anything else is refused', async (t) => {
  for (const [what, text] of [
    ['an entity bomb', `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${svg('&c;')}`],
    ['a document type', `<!DOCTYPE svg SYSTEM "https://evil.example/x.dtd">${svg(rect)}`],
    ['a script', svg('<script>alert(1)</script>')],
    ['a script with a prefix', svg('<svg:script>alert(1)</svg:script>')],
    ['an event', svg('<rect onload="alert(1)"/>')],
    ['HTML', svg('<foreignObject><p/></foreignObject>')],
    ['an image elsewhere', svg('<image href="https://10.0.0.1/"/>')],
    ['a file', svg('<image xlink:href="file:///etc/passwd"/>')],
    ['an image inside', svg('<image href="data:image/png;base64,AA=="/>')],
    ['a filter that loads', svg('<filter><feImage href="#a"/></filter>')],
    ['a part of another document', svg('<use href="https://evil.example/a.svg#a"/>')],
    ['an address by number', svg('<use href="&#104;ttps://evil.example/"/>')],
    ['an import', svg('<style>@import "https://evil.example/"</style>')],
    ['an escaped import', svg('<style>@\\69mport "https://evil.example/"</style>')],
    ['a style elsewhere', svg('<rect fill="url( https://evil.example/#a)"/>')],
    ['a stylesheet', `<?xml-stylesheet href="#a"?>${svg(rect)}`],
    ['hidden in CDATA', svg('<![CDATA[<!--]]><script/><![CDATA[-->]]>')],
    ['nesting', svg('<g>'.repeat(65) + '</g>'.repeat(65))],
    ['many elements', svg(rect.repeat(5001))],
    ['many bytes', svg(`<path d="${'M0 0'.repeat(70_000)}"/>`)],
    ['HTML at the start', `<html>${svg(rect)}</html>`],
  ] as const)
    t.notOk(isPlain(text), what)
  t.notOk(isPlainSvg(Buffer.from(svg(rect), 'utf16le')), 'UTF-16')
})

t.test('the rules take linear time', async (t) => {
  for (const piece of [
    '<',
    '<!',
    '<!--',
    '<a',
    '<svg:',
    ' on',
    ' ona ',
    'href ',
    'url ',
    '\n',
    '-',
    '&amp;',
    '<?xml ',
  ]) {
    const text = `<svg${piece.repeat(Math.floor(250_000 / piece.length))}`
    const before = process.cpuUsage()
    isPlain(text)
    const { user } = process.cpuUsage(before)
    t.ok(user < 5_000_000, `${JSON.stringify(piece)}: ${user} µs`)
  }
})

t.test('what would take too long, or be too large, is not drawn', async (t) => {
  const draw = createDrawSvg(120_000)
  const [drawn, ...refused] = await Promise.all([
    draw(Buffer.from(svg(rect))),
    draw(Buffer.from(svg(rect, 'width="1000000" height="1000000"'))),
    draw(Buffer.from(svg(rect, 'width="1" height="100000"'))),
    draw(Buffer.from(svg('<rect'))),
  ])
  t.ok(drawn, 'a small one before them')
  t.same(refused, [null, null, null])
  t.equal(
    await createDrawSvg(1)(Buffer.from(svg(rect))),
    null,
    'no process starts in a millisecond',
  )
})
