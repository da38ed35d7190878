import type { Page } from 'playwright-core'

/**
 * Presses a button with the keyboard. A pointer would wait: the buttons of a new page ignore it for half a second, which
 * double-click.test.ts tests.
 */
export const press = async (page: Page, button: string) => {
  await page.waitForSelector(button)
  await page.press(button, 'Enter')
}
