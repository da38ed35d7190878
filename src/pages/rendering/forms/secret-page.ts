// The page that shows a new secret once, and answers 410 to every later request. The secret comes with a file.
import type { Interface } from '../../../core/language/permissions.ts'
import type { Block } from '../view-models/blocks.ts'
import { links } from './blocks.ts'
import { type PartOfPage, type Words, wordsOf } from './blocks-page.ts'

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
      heading: [gone.goneHeading],
      lead: [gone.gone],
      status: 410,
      isNarrow: true,
      blocks: links([gone.back, backUrl, true]),
    }
  const { heading, ...shown } = secret
  return {
    heading: wordsOf(heading),
    isNarrow: true,
    blocks: [{ kind: 'secret', others: [], ...shown }],
  }
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

/** The credentials of an app or a key set. */
export const clientVariables = (api: Interface, id: string, secret: string) =>
  api === 'current' ? { CLIENT_ID: id, CLIENT_SECRET: secret } : { APP_ID: id, APP_SECRET: secret }

export const clientFile = (
  { name, clientId, interface: api }: { name: string; clientId: string; interface: Interface },
  secret: string,
) => environmentFile(clientId, name, clientVariables(api, clientId, secret))
