import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import { marked, table } from '../rendering/forms/blocks.ts'
import { showParts } from './frame.ts'
import { parameter } from './gate.ts'
import type { AdminRoutes } from './routes.ts'

/** Which data APIs have read what was ended. The page renews itself, without a script, while one has not. */
export const organizationStop = ({ get, deps }: AdminRoutes) =>
  get('/stops/:stop_id', async (visit) => {
    const { request, reply, text, organization } = visit
    const id = parameter(request, 'stop_id')
    if (!isIdShaped(id)) throw new NotFound('stop')
    const { answers } = await deps.stops.read(id, [organization.id])
    const words = text.organization.stopped
    const reached = answers.filter(({ state }) => state === 'reached')
    const count = answers.filter(({ state }) => state !== 'asks').length
    const tenths = (seconds: number) => Math.round(seconds * 10) / 10
    const slowest = tenths(Math.max(0, ...reached.map(({ seconds }) => seconds ?? 0)))
    if (reached.length < count) reply.header('refresh', '1')
    const silence = (since: Date | null) =>
      Math.floor(Math.max(0, deps.now() - Number(since)) / 1000)
    return showParts(visit, null, {
      title: words.title,
      heading:
        reached.length < count ? words.some(reached.length, count) : words.all(count, slowest),
      lead: words.lead,
      blocks: [
        table({
          columns: [words.dataApi, text.operator.columns.state],
          rows: answers.map(({ name, state, seconds, since }) => [
            name,
            state === 'reached'
              ? words.has(tenths(seconds ?? 0))
              : state === 'asks'
                ? words.asks
                : marked(words.silent(silence(since))),
          ]),
          empty: words.none,
        }),
      ],
    })
  })
