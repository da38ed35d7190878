import { look } from './looks.ts'
import { inChromium } from './scene.ts'

await inChromium(
  'the documentation',
  async ({ running, test }) => {
    const { issuer } = running
    const names = [
      '',
      'for-apps',
      'for-apps/openid-connect',
      'for-data-apis',
      'for-web-apps',
      'for-admins',
      'errors',
      'overview',
      'operating',
      'security',
      'decisions/0003-compare-and-advance',
    ]
    for (const name of names)
      test(`for everybody: /docs/${name}`, async (t, { page }) => {
        await page.goto(`${issuer}/docs${name && `/${name}`}`)
        await look(t, page, `docs-${name.replace('/', '-') || 'index'}`)
      })
  },
  { onlyOn: 'embedded' },
)
