// Nightly, and when docs/for-apps changes: it runs each example for apps.
/** Runs every example of docs/for-apps.md and docs/for-apps/ as it stands. The test plays the user in the browser. */
import t from 'tap'
import { isInstalled, unlessMissing } from '../support/installed.ts'
import { setUp, startDemoScene } from './demo-scene.ts'
import { examplesOf } from './examples.ts'
import { everyLanguage, everyPaste, followPage } from './follow.ts'
import { partsForApps } from './for-apps-parts.ts'
import { isEquipped } from './reader.ts'

const scene = await startDemoScene(t)

t.jobs = everyLanguage.length
for (const [language, shell] of everyPaste) {
  const isThere = isEquipped.sh() && isInstalled(shell) && isEquipped[language]()
  const skip = unlessMissing(isThere, `what the examples in ${language} (${shell}) need`)
  const title = `the examples in ${language} (${shell}) do what the pages say`
  t.test(title, { ...skip, buffered: true }, async (t) => {
    const reader = await scene.reader(t, shell)
    for (const [page, parts] of Object.entries(partsForApps(scene))) {
      // The beginning of each page says so. Tokens of the page before stay.
      await reader.run('sh', setUp)
      await followPage(t, page, parts, language, reader)
    }
  })
}

t.test('an example with an unknown variable fails', async (t) => {
  const reader = await scene.reader(t)
  await t.rejects(reader.run('sh', 'echo "$NO_SUCH_VARIABLE"\n'), /NO_SUCH_VARIABLE/)
})

t.test(
  'a refused example stops with the words of the server and the id of the request',
  async (t) => {
    const reader = await scene.reader(t)
    const page = 'docs/for-apps/authorization-code.md'
    reader.env.CODE = 'lkac_unknown'
    reader.env.VERIFIER = 'v'.repeat(43)
    for (const language of everyLanguage) {
      if (!isEquipped[language]()) continue
      await reader.run('sh', setUp)
      const examples = examplesOf(page)
      const helper = examples
        .find(({ name }) => name === 'Set up the examples 2')
        ?.texts.get(language)
      if (helper) await reader.run(language, helper)
      const example = examples
        .find(({ name }) => name === '2. Exchange the code')
        ?.texts.get(language)
      await t.rejects(
        reader.run(language, example ?? ''),
        /invalid_grant[\s\S]*X-Request-Id:? req_/,
        language,
      )
    }
  },
)
