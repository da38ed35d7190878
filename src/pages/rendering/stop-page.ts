import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { Stops } from '../../core/introspection/stops.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Text } from '../../words/text.ts'
import { marked, table } from './forms/blocks.ts'
import type { PartOfPage, Visitor } from './forms/blocks-page.ts'

/** The page of a stop, below the path of its audience. */
export const stopPath = '/stops/:stop_id'

const tenths = (seconds: number) => Math.round(seconds * 10) / 10

/**
 * Which data APIs have read what was ended. The page renews itself, without a script, while one has not.
 * @param organizationIds those whose stops the visitor may read; null: all
 * @throws NotFound
 */
export const stopPage = async (
  { request, reply, text }: Visitor & { text: Text },
  { stops, now }: { stops: Pick<Stops, 'read'>; now(): number },
  organizationIds: readonly string[] | null,
): Promise<PartOfPage> => {
  const { stop_id: id = '' } = request.params as { stop_id?: string }
  if (!isIdShaped(id)) throw new NotFound('stop')
  const { answers } = await stops.read(id, organizationIds)
  const words = text.organization.stopped
  const reached = answers.filter(({ state }) => state === 'reached')
  const count = answers.filter(({ state }) => state !== 'asks').length
  const slowest = tenths(Math.max(0, ...reached.map(({ seconds }) => seconds ?? 0)))
  if (reached.length < count) reply.header('refresh', '1')
  const silence = (since: Date | null) => Math.floor(Math.max(0, now() - Number(since)) / 1000)
  const stateOf = ({ state, seconds, since }: (typeof answers)[number]) =>
    ({
      reached: () => words.has(tenths(seconds ?? 0)),
      waiting: () => marked(words.silent(silence(since))),
      asks: () => words.asks,
    })[state]()
  return {
    title: words.title,
    heading: reached.length < count ? words.some(reached.length, count) : words.all(count, slowest),
    lead: words.lead,
    blocks: [
      table({
        columns: [words.dataApi, text.operator.columns.state],
        rows: answers.map((one) => [one.name, stateOf(one)]),
        empty: words.none,
      }),
    ],
  }
}
