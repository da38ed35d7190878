import type { Page } from 'playwright-core'

/** What a person reads at a width of 360, below the menus and before any link, in the first 640 pixels. */
export const firstWords = async (page: Page): Promise<string> => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.evaluate('scrollTo(0, 0)')
  return page.evaluate<string>(`(() => {
    const main = document.querySelector('main')
    const isBefore = (one, other) => !other || (one.compareDocumentPosition(other) & 4)
    const own = (selector) => [...main.querySelectorAll(selector)].filter((one) => !one.closest('nav'))
    const [link] = own('a, button')
    return own('h1, p, li')
      .filter((one) => isBefore(one, link) && one.getBoundingClientRect().bottom <= 640)
      .map((one) => one.innerText)
      .join(' | ')
  })()`)
}
