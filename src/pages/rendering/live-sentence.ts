// The sentence of a decision page follows its boxes: the script sends what is ticked, and the server says it.
import type { FastifyRequest } from 'fastify'
import type { App } from '../../core/clients/app.ts'
import { lockedPermissions } from '../../core/clients/required-permissions.ts'
import { intersect } from '../../core/language/permissions.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Reader } from './permission-list.ts'
import { type Reach, summaryOf } from './summary.ts'

/** What is ticked: `permissions` (repeated), `places` (a number; null: all) and `later` of the address. */
export const tickedInAddress = ({ url }: FastifyRequest) => {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '')
  const places = Number.parseInt(query.get('places') ?? '', 10)
  return {
    permissions: query.getAll('permissions'),
    places: Number.isNaN(places) ? null : places,
    isLater: query.has('later'),
  }
}

interface Ticked {
  offered: readonly string[]
  permissions: readonly string[]
  /** Those of the offered ones that cannot be unticked; absent: all that the app requires. */
  locked?: readonly string[]
  reach: Reach
}

/** The sentences for what is ticked, among the offered permissions. */
export const sentencesOf = (
  reader: Reader,
  app: Pick<App, 'interface' | 'permissions' | 'optionalPermissions'>,
  { offered, permissions, locked = lockedPermissions(app, offered), reach }: Ticked,
): Phrase[] =>
  summaryOf(reader, {
    ...{ api: app.interface, reach },
    permissions: intersect(offered, [...permissions, ...locked]),
  })
