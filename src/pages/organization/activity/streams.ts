import { randomUUID } from 'node:crypto'
import { type StreamDraft, streamFormats } from '../../../core/audit-streams/audit-streams.ts'
import { fingerprintOf } from '../../../core/crypto/digests.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { Conflict, editConflict, NotFound } from '../../../core/language/service-errors.ts'
import type { Text } from '../../../words/text.ts'
import { linked, links, table, timed } from '../../rendering/forms/blocks.ts'
import { ownPath } from '../../rendering/forms/blocks-page.ts'
import { textField } from '../../rendering/forms/form-field.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { streamState } from '../../rendering/stream-state.ts'
import { signInUrl } from '../../sign-in/page.ts'
import type { PageServices } from '../../sign-in/services.ts'
import { type AdminVisit, parameter } from '../gate.ts'
import { type AdminForm, type AdminRoutes, confirmation } from '../routes.ts'

const versionOf = ({ url, format }: Pick<StreamDraft, 'url' | 'format'>) =>
  fingerprintOf([url, format])

export const doneWithStreams = ({ activity: { streams }, developer }: Text) => ({
  ...{ saved: streams.saved, deleted: streams.deleted, tested: developer.webhooks.done.tested },
})

/** The receivers of an organization, on the page of its activity. */
export const streamsOf = async (
  { text, organization, base }: AdminVisit,
  { auditStreams }: Pick<PageServices, 'auditStreams'>,
) => {
  const words = text.activity.streams
  const { url } = text.developer.webhooks.form
  const { items } = await auditStreams.list({ limit: 100, after: null }, [organization.id])
  return [
    table({
      ...{ id: 'streams', heading: words.heading, hint: words.hint, empty: words.none },
      columns: [url, words.format, text.operator.columns.state, words.lastSuccess],
      rows: items.map((one) => [
        linked(one.url, `${base}/activity/streams/${one.id}`),
        words.formats[one.format],
        streamState(text, one),
        timed(text, one.lastSuccessAt?.toISOString() ?? null),
      ]),
    }),
    ...links([words.add, `${base}/activity/new-stream`]),
  ]
}

export const organizationStreams = ({ form, deps }: AdminRoutes) => {
  const { auditStreams, recentSignIn } = deps
  const streamOf = async ({ request, organization }: AdminVisit) => {
    const id = parameter(request, 'stream_id')
    if (!isIdShaped(id)) throw new NotFound('audit stream')
    return auditStreams.read(id, [organization.id])
  }

  const inTab = ({ base }: AdminVisit) =>
    ({ tab: 'activity', cancelUrl: `${base}/activity` }) as const

  const fieldsOf = (
    { text }: AdminVisit,
    stream: Pick<StreamDraft, 'url' | 'format'> | null,
  ): AdminForm['fields'] => {
    const words = text.activity.streams
    const { url, urlHint } = text.developer.webhooks.form
    return [
      textField('url', url, stream?.url, { isCode: true, isRequired: true, hint: urlHint }),
      {
        ...{ name: 'format', kind: 'choice', isRequired: true, label: words.format },
        options: streamFormats.map((one) => ({ value: one, label: words.formats[one] })),
        values: [stream?.format ?? 'latchkey'],
      },
      {
        ...{ name: 'secret', kind: 'password', isRequired: stream === null, label: words.secret },
        hint: stream ? words.secretKept : words.secretHint,
      },
    ]
  }

  const saved = async (
    { session, organization, cause, text, ...visit }: AdminVisit,
    id: string,
    draft: StreamDraft,
    shown: string | null,
  ) => {
    if (!recentSignIn.isRecent(session)) return signInUrl(ownPath(visit), 'confirm')
    const own = { ...draft, organizationId: organization.id }
    try {
      await auditStreams.put(id, own, [organization.id], cause, (current) => {
        if (current && shown !== null && shown !== versionOf(current)) throw editConflict()
      })
    } catch (error) {
      if (!(error instanceof Conflict) || error.reason !== 'too_many_streams') throw error
      return { status: 409, errors: new Map(), summary: text.faults.too_many_streams }
    }
    return `${visit.base}/activity?done=saved`
  }

  /** Its id is that of the form: a form that is sent twice makes one. */
  form('/activity/new-stream', (visit) => {
    const { add, lead } = visit.text.activity.streams
    const formId = field(visit.request, 'form_id') || randomUUID()
    const id = `ast${fingerprintOf([visit.organization.id, formId])}`
    return {
      ...{ ...inTab(visit), heading: add, lead, submit: add, hidden: { form_id: formId } },
      fields: fieldsOf(visit, null),
      work: (body) => saved(visit, id, body as unknown as StreamDraft, null),
    }
  })

  const path = '/activity/streams/:stream_id'
  form(path, async (visit) => {
    const { text } = visit
    const stream = await streamOf(visit)
    const { change: heading, remove } = text.activity.streams
    const at = ownPath(visit)
    const { page, form } = text.developer.webhooks
    return {
      ...{ ...inTab(visit), heading, submit: form.submit, version: versionOf(stream) },
      blocks: links([page.test, `${at}/test`], [remove, `${at}/delete`]),
      fields: fieldsOf(visit, stream),
      work: (body, { version }) => saved(visit, stream.id, body as unknown as StreamDraft, version),
    }
  })

  /** Asks before something is done with a stream. */
  const decision = (
    page: 'test' | 'delete',
    done: 'tested' | 'deleted',
    work: (visit: AdminVisit, id: string, reach: string[]) => Promise<unknown>,
  ) =>
    form(`${path}/${page}`, async (visit) => {
      const { id, url } = await streamOf(visit)
      const { test, remove, removal } = visit.text.activity.streams
      const isDanger = done === 'deleted'
      const heading = isDanger ? remove : visit.text.developer.webhooks.page.test
      const asked = { heading, submit: heading, points: [[isDanger ? removal : test]], isDanger }
      return {
        ...confirmation({ ...asked, ...inTab(visit), action: ownPath(visit), decision: done }),
        subject: url,
        work: async () => {
          await work(visit, id, [visit.organization.id])
          return `${visit.base}/activity?done=${done}`
        },
      }
    })

  decision('test', 'tested', (_, id, reach) => auditStreams.test(id, reach))
  decision('delete', 'deleted', ({ cause }, id, reach) => auditStreams.remove({ id, reach }, cause))
}
