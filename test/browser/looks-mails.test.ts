import t from 'tap'
import { type ReceivedMail, startSmtpServer } from '../support/smtp-server.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

const smtp = await startSmtpServer()
t.teardown(smtp.stop)

await inChromium(
  'pages of mails',
  async ({ running, world, test }) => {
    const { issuer } = running
    const { kim } = world

    test('a forgotten password', async (t, { page }) => {
      await page.goto(`${issuer}/login`)
      await page.click('a[href="/forgot-password"]')
      await look(t, page, 'forgotten-password')
      await page.fill('#email', kim.email)
      await page.click('main button.primary')
      await page.waitForSelector('h1:has-text("Check your mail")')
      await look(t, page, 'forgotten-password-sent')
      // Not that of the scene before: a slow server may send a mail twice.
      const linkIn = ({ mail }: ReceivedMail) =>
        String(mail.text)
          .split(/\s/)
          .find((word) => word.startsWith(`${issuer}/set-password`))
      const received = await smtp.next((one) => one.to === kim.email && Boolean(linkIn(one)))
      const link = linkIn(received) ?? ''
      await page.goto(link)
      await look(t, page, 'new-password')
      await page.fill('#new_password', 'a horse in a browser')
      await page.check('[data-shows]')
      t.equal(await page.getAttribute('#new_password', 'type'), 'text')
      await page.click('main button.primary')
      await page.waitForSelector('h1:has-text("Your password is saved")')
      await look(t, page, 'new-password-saved')
      // The mail itself, as a mail program shows it.
      await page.goto('about:blank')
      await page.setContent(String(received.mail.html))
      await look(t, page, 'mail')
    })

    test('notifications', async (t, { page }) => {
      await page.goto(`${issuer}/account/notifications`)
      await signIn(page, { ...kim, password: 'a horse in a browser' })
      await page.waitForSelector('h1:has-text("Which mails you get")')
      await look(t, page, 'account-notifications')
      await page.locator('input[name="categories"]').first().uncheck()
      await page.click('main button.primary')
      await page.waitForSelector('[role="status"]')
      await look(t, page, 'account-notifications-saved')
    })
  },
  { environment: { SMTP_URL: smtp.url, MAIL_FROM: 'latchkey@mail.test' } },
)
