import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './beside-demo.ts'

const folder = join(root, 'examples')
const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const programs = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.mjs')))
const readme = text('README.md')

t.test('the README of the examples says how to start each', async (t) => {
  t.equal(programs.length, 5)
  for (const name of programs)
    t.match(readme, `node --env-file=data/demo/examples/${name}.env examples/${name}/main.mjs`)
})

t.test('each example has fewer than a hundred lines', async (t) => {
  for (const name of programs) {
    const lines = readdirSync(join(folder, name)).flatMap((file) =>
      text(join(name, file)).trimEnd().split('\n'),
    )
    t.ok(lines.length < 100, `${name}: ${lines.length}`)
  }
})

/** The environment variables that a program reads. */
const readBy = (source: string) =>
  [...source.matchAll(/\{([^{}]+)\} =\s+process\.env\n|process\.env\.(\w+)/g)].flatMap(
    ([, several = '', one = '']) => `${several} ${one}`.match(/[A-Z][A-Z_]+/g) ?? [],
  )

t.test('the README explains exactly the settings of the examples', async (t) => {
  const settings = programs.flatMap((name) => readBy(text(`${name}/main.mjs`)))
  const [, part = ''] = /## Settings\n([^#]+)/.exec(readme) ?? []
  const explained = (part.match(/^\| `.+?\|/gm)?.join() ?? '').match(/[A-Z][A-Z_]+/g) ?? []
  t.same(explained.toSorted(), [...new Set(settings)].sort())
})
