import type { FastifyInstance, FastifyReply } from 'fastify'
import { parametersOf } from '../../core/authorization/device-flow.ts'
import { type DeviceRequest, deviceCodeLifetime } from '../../core/authorization/device-request.ts'
import { readUserCode, shownUserCode } from '../../core/authorization/user-code.ts'
import type { Session } from '../../core/people/session.ts'
import { answeredRequest } from '../../http/browser/answered-request.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import type { Visitor } from '../rendering/forms/blocks-page.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { signInUrl } from '../sign-in/page.ts'
import type { PageServices } from '../sign-in/services.ts'

const path = '/activate'
const longestCode = 30

/** The page on which a user enters the code of a device (RFC 8628 §3.3), and the page that shows the outcome. */
export const device = (scope: FastifyInstance, deps: PageServices) => {
  const { devices, requests, limits, browser, renderer } = deps

  const withCode = (userCode: string) =>
    userCode === '' ? path : `${path}?${new URLSearchParams({ user_code: userCode })}`

  const show = (
    { request, reply }: Visitor,
    session: Session,
    userCode: string,
    error: string | null = null,
  ) => {
    const { device: title } = textOf(request).titles
    const context = { session, title, ...(error && { status: 400 }) }
    const own = { action: path, returnTo: withCode(userCode), organization: null, userCode, error }
    return renderer.page(request, reply, 'device', context, own)
  }

  /** Only signed-in users may try codes, so that guessing is attributed to a user. */
  const toSignIn = (reply: FastifyReply, userCode: string) =>
    reply.header('cache-control', 'no-store').redirect(signInUrl(withCode(userCode)), 303)

  scope.get(path, async (request, reply) => {
    // A code from a link is shown as it is and not submitted: the user compares it with the device.
    const userCode = queried(request, 'user_code').slice(0, longestCode)
    const session = await browser.session(request)
    return session ? show({ request, reply }, session, userCode) : toSignIn(reply, userCode)
  })

  scope.post(path, async (request, reply) => {
    const typed = field(request, 'user_code').slice(0, longestCode)
    const session = await browser.session(request)
    if (!session) return toSignIn(reply, typed)
    const undo = await limits.userCodeTried(session.user.id)
    const found = await devices.find(typed)
    if (!found) {
      const { unknown, malformed } = textOf(request).device
      return show({ request, reply }, session, typed, readUserCode(typed) ? unknown : malformed)
    }
    await undo()
    const countedAs = await limits.authorizationBegun(request.ip, session.user.id)
    const parameters = parametersOf(found, `${deps.origin}${path}`)
    const from = { browser: browser.bind(request, reply), countedAs }
    const { id } = await requests.begin(parameters, from)
    return reply.header('cache-control', 'no-store').redirect(`/interaction/${id}`, 303)
  })

  const settling = { exposeHeadRoute: false }
  scope.get<{ Params: { id: string } }>(
    '/interaction/:id/device',
    settling,
    async (request, reply) => {
      const { device, answer } = await answeredRequest(deps, request, 'device')
      const settled = device ? await devices.settle(device, answer) : 'late'
      const { heading, message } = textOf(request).device[settled]
      const context = { session: await browser.session(request), title: heading }
      return renderer.page(request, reply, 'done', context, { heading, message })
    },
  )
}

/** When and from where a device asked. @param now milliseconds since 1970 */
export const startOf = (text: Text, device: DeviceRequest, now: number): Phrase | null => {
  const { starter, expiresAt } = device
  if (!starter) return null
  const begun = expiresAt - deviceCodeLifetime * 1000
  const minutes = Math.max(0, Math.floor((now - begun) / 60_000))
  const { address, browser, system } = starter
  const program = browser === null ? null : text.sessions.device(browser, system)
  return text.device.started(minutes, address, program)
}

/** The code to show on the pages where a user answers the request of a device. */
export const shownCodeOf = (device: { userCode: string } | null | undefined) =>
  device ? shownUserCode(device.userCode) : null
