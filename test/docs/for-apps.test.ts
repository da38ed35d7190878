/** Runs every example of docs/for-apps.md and docs/for-apps/ as it stands. The test plays the user in the browser. */
import t from 'tap'
import { unlessMissing } from '../support/installed.ts'
import { everyLanguage, followPage } from './follow.ts'
import { partsForApps } from './for-apps-parts.ts'
import { createReader, isEquipped } from './reader.ts'
import { startScene } from './scene.ts'

t.jobs = everyLanguage.length
for (const language of everyLanguage) {
  const skip = unlessMissing(isEquipped[language](), `what the examples in ${language} need`)
  const title = `the examples in ${language} do what the pages say`
  t.test(title, { ...skip, buffered: true }, async (t) => {
    const { running, world } = await startScene(t)
    const { client_id, client_secret, redirect_uri } = world.confidential
    const reader = await createReader(t, {
      ISSUER: running.issuer,
      CLIENT_ID: client_id,
      CLIENT_SECRET: client_secret,
      REDIRECT_URI: redirect_uri,
    })
    const pages = Object.entries(await partsForApps(running, world))
    for (const [page, parts] of pages) await followPage(t, page, parts, language, reader)
  })
}
