import type { Text } from '../../words/text.ts'
import { clientVariables, environmentFile, secretPart } from '../rendering/forms/secret-page.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { home } from './console-page.ts'
import type { ConsoleSecret } from './gate.ts'
import type { Tab } from './tab.ts'

const fileOf = ({ name, idLabel, id, secret }: ConsoleSecret) => {
  const variables = {
    client: clientVariables('current', id, secret),
    legacyApp: clientVariables('legacy', id, secret),
    token: { TOKEN: secret },
    webhook: { WEBHOOK_SECRET: secret },
  }
  return environmentFile(id, name, variables[idLabel])
}

const secretOf = (text: Text, made: ConsoleSecret) => {
  const said = text.operator.secret
  return {
    heading: said.heading,
    shown: {
      idLabel:
        made.idLabel === 'legacyApp'
          ? text.organization.keys.ids.legacy
          : said.labels[made.idLabel],
      clientId: made.id,
      secretLabel: said.secret,
      secret: made.secret,
      usage: said.usage,
      ...fileOf(made),
    },
    lost: made.idLabel === 'webhook' ? text.developer.webhooks.secret.lost : said.lost,
    backUrl: made.backUrl,
  }
}

/** Shows a new secret once, and answers 410 to every later request. */
export const operatorSecret = ({ page, deps }: Tab) =>
  page(`${home}/secret`, null, async ({ request, text }) => {
    const mark = deps.browser.sessionMark(request)
    const made = await deps.oneTimeOperatorSecrets.take(queried(request, 'handover'), mark)
    const secret = made && secretOf(text, made)
    return { subject: made?.name ?? null, ...secretPart(secret, text.operator.secret, home) }
  })
