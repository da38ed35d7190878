import { readFileSync } from 'node:fs'
import t from 'tap'
import { checkNode } from '../../src/cli/run/node-version.ts'

t.test('an old Node is refused by name', (t) => {
  for (const version of ['18.20.8', '20.18.3', '20.0.0', '16.20.2'])
    t.throws(() => checkNode(version), {
      message: `this is Node ${version}; Latchkey needs Node 20.19 or newer`,
      exitCode: 2,
    })
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.18.1', process.versions.node])
    t.doesNotThrow(() => checkNode(version), version)
  t.end()
})

t.test('package.json demands the same', (t) => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  t.equal(JSON.parse(text).engines.node, '>=20.19')
  t.end()
})
