import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { configurationPage } from '../../scripts/docs/configuration.ts'
import { environment, settingGroups } from '../../src/config/environment.ts'

t.test('docs/configuration.md matches the schema', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  t.equal(page, configurationPage(), 'run `npm run docs:configuration` after a change')
})

t.test('each setting is in one group and has a description', async (t) => {
  const grouped = settingGroups.flatMap(({ settings }) => Object.entries(settings))
  t.same(grouped.map(([name]) => name).toSorted(), Object.keys(environment.properties).toSorted())
  for (const [name, schema] of grouped)
    t.match((schema as { description?: string }).description, /\.$/, name)
})
