// The page that shows a new secret once, and answers 410 to every later request. The secret comes with a file.
import type { App } from '../../../core/clients/app.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import type { Text } from '../../../words/text.ts'
import type { Block } from '../view-models/blocks.ts'
import { links } from './blocks.ts'
import type { PartOfPage, Words } from './blocks-page.ts'

type SecretBlock = Extract<Block, { kind: 'secret' }>
type Secret = Omit<SecretBlock, 'kind' | 'others'> &
  Partial<Pick<SecretBlock, 'others'>> & { heading: Words }

/** @param gone what the page says, and where it leads, when the secret was shown before or the time for it has passed */
export const secretPart = (
  secret: Secret | null,
  gone: { goneHeading: string; gone: string; back: string },
  backUrl: string,
): PartOfPage => {
  if (secret === null)
    return {
      heading: gone.goneHeading,
      lead: gone.gone,
      status: 410,
      isNarrow: true,
      blocks: links([gone.back, backUrl, true]),
    }
  const { heading, ...shown } = secret
  return { heading, isNarrow: true, blocks: [{ kind: 'secret', others: [], ...shown }] }
}

/** An environment file inside a data: link. It needs no script and no further request. */
export const environmentFile = (
  id: string,
  about: string,
  variables: Readonly<Record<string, string>>,
) => {
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const text = [`# ${about}`, ...pairs, ''].join('\n')
  return {
    fileName: `${id}.env`,
    download: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
  }
}

export const clientVariables = (api: Interface, id: string, secret: string) =>
  api === 'current' ? { CLIENT_ID: id, CLIENT_SECRET: secret } : { APP_ID: id, APP_SECRET: secret }

/** The new secret of an app or a key set. @param secrets those that work beside it */
export const clientSecret = (
  text: Text,
  said: Text['developer' | 'organization']['secret'],
  client: Pick<App, 'name' | 'clientId' | 'interface'>,
  secret: string,
  secrets: readonly { hint: string; expiresAt: Date | null }[],
  backUrl: string,
): Secret => {
  const { name, clientId, interface: api } = client
  return {
    heading: said.heading(name),
    shown: {
      idLabel: text.organization.keys.ids[api],
      clientId,
      secretLabel: said.labels[api],
      secret,
      usage: said.usage[api],
      ...environmentFile(clientId, name, clientVariables(api, clientId, secret)),
    },
    lost: said.lost,
    others: secrets.flatMap(({ hint, expiresAt }) =>
      expiresAt ? [said.ends(hint, text.organization.moment(expiresAt))] : [],
    ),
    backUrl,
  }
}
