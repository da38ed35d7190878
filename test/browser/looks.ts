import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

// LATCHKEY_TEST_SCREENSHOTS=1 takes a picture of every page for review; the pictures take most of
// the time.
const folder = join(import.meta.dirname, '../../.tap/screenshots')
const takesPictures = Boolean(process.env.LATCHKEY_TEST_SCREENSHOTS)
if (takesPictures) mkdirSync(folder, { recursive: true })

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 900 }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Only violations are read, and they name the element itself. Frames are pages of their own, without axe. */
const options = JSON.stringify({
  preload: false,
  resultTypes: ['violations'],
  selectors: false,
  iframes: false,
})
const findFlaws = `typeof axe === 'undefined' ? null : axe.run(document, ${options}).then((found) =>
  found.violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html)))`

export const axeFlaws = async (page: Page): Promise<string[]> => {
  const flaws = await page.evaluate<string[] | null>(findFlaws)
  if (flaws) return flaws
  // Later documents of the context begin with axe: half a megabyte is sent once.
  await page.context().addInitScript(axe)
  await page.evaluate(axe)
  return axeFlaws(page)
}

/** Elements that overflow: the page must never scroll sideways. */
const overflow = async (page: Page, when: string): Promise<string[]> => {
  const wide = await page.evaluate<string[]>(`
    [...document.querySelectorAll('body *')]
      .filter((one) => {
        // What is folded away keeps the size that it had elsewhere.
        if (one.closest('.unseen') || !one.checkVisibility()) return false
        // A table, a preview and code may scroll by themselves, where the keyboard can too (WCAG 2.2, 1.4.10).
        if (one.parentElement.closest('.table[role="region"][tabindex="0"], .preview-frame[tabindex="0"], pre[tabindex="0"]')) return false
        const { left, right } = one.getBoundingClientRect()
        return right > document.documentElement.clientWidth + 1 || left < -1
      })
      .map((one) => one.outerHTML.slice(0, 120))
      .concat(document.documentElement.scrollWidth > document.documentElement.clientWidth ? 'the page' : [])`)
  return wide.map((one) => `${when}, too wide: ${one}`)
}

/** Buttons that differ from the background only by color, in forced-colors mode. */
const indistinct = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('.primary, button.danger')]
      .filter((one) => {
        if (!one.checkVisibility()) return false
        const { backgroundColor } = getComputedStyle(one)
        return backgroundColor === getComputedStyle(document.body).backgroundColor
      })
      .map((one) => 'in forced colours like any other button: ' + one.outerHTML.slice(0, 120))`)

/** Checks a page on a phone. */
const onPhone = async (page: Page): Promise<string[]> => {
  await page.setViewportSize(phone)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const flaws = [...(await axeFlaws(page)), ...(await overflow(page, '360 px'))]
  await page.setViewportSize(desk)
  return flaws
}

/** Checks a page on a phone and a desktop, in light and dark, in forced colors, with doubled text and right to left. */
const inEachWay = async (page: Page, name: string): Promise<string[]> => {
  const flaws: string[] = []
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Each color scheme and each width once.
      if ((viewport === phone) === (colorScheme === 'light')) flaws.push(...(await axeFlaws(page)))
      const path = join(folder, `${name}-${viewport.width}-${colorScheme}.png`)
      if (takesPictures) await page.screenshot({ path, fullPage: true })
    }
    flaws.push(...(await overflow(page, `${viewport.width} px`)))
  }
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' })
  flaws.push(...(await indistinct(page)))
  const path = join(folder, `${name}-forced.png`)
  if (takesPictures) await page.screenshot({ path, fullPage: true })
  await page.emulateMedia({ forcedColors: 'none' })
  const html = 'document.documentElement'
  await page.evaluate(`${html}.style.fontSize = '200%'`)
  flaws.push(...(await overflow(page, 'text at 200 %')))
  await page.evaluate(`${html}.style.fontSize = ''; ${html}.dir = 'rtl'`)
  flaws.push(...(await overflow(page, 'right to left')))
  await page.evaluate(`${html}.dir = 'ltr'`)
  await page.setViewportSize(desk)
  await page.emulateMedia({ colorScheme: 'light' })
  return flaws
}

/** Checks how a page looks: each night in each way, otherwise on a phone. */
export const look = async (t: Test, page: Page, name: string) => {
  const flaws = process.env.LATCHKEY_TEST_NIGHTLY
    ? await inEachWay(page, name)
    : await onPhone(page)
  t.same(flaws, [], `${name}: for everybody, and whole`)
}
