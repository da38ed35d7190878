// The current app that replaces a legacy app.
import type { FastifyInstance } from 'fastify'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { SuccessorJson } from '../../../http/operator/apps/successors.ts'
import { code, facts, linked, links, plain } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { confirmPage, doneAt, fieldRefusal, formPage } from '../console-form.ts'
import { home } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { apiPathOf, appUrl } from './path.ts'

const path = `${home}/apps/:client_id/successor`
const apiPath = (clientId: string) => `${apiPathOf(clientId)}/twin`

const readSuccessor = async ({ api }: OperatorVisit, clientId: string) =>
  (await api.exists(apiPath(clientId))) ? api.readVersion<SuccessorJson>(apiPath(clientId)) : null

const linesOf = (worth: SuccessorJson['worth']) =>
  Object.entries(worth).map(([legacy, current]) => `${legacy}: ${current.join(' ')}`.trim())

/** Names may contain colons: the colon before a space counts, and without one the first colon. */
const partsOf = (line: string) =>
  /^(\S+?)\s*:(?:\s+(.*))?$/.exec(line) ?? /^([^\s:]+):(.*)$/.exec(line)

/** Lines of the same legacy permission count together. null: there is none, or a line without a colon. */
const worthOf = (lines: readonly string[]): SuccessorJson['worth'] | null => {
  const worth = new Map<string, string[]>()
  for (const line of lines) {
    const [, legacy, current = ''] = partsOf(line) ?? []
    if (legacy === undefined) return null
    const names = current.split(/\s+/).filter(Boolean)
    worth.set(legacy, [...(worth.get(legacy) ?? []), ...names])
  }
  return worth.size === 0 ? null : Object.fromEntries(worth)
}

export const successorBlocks = async (visit: OperatorVisit, app: AppJson): Promise<Block[]> => {
  if (app.interface !== 'legacy') return []
  const { successor: said } = visit.text.operator.daily
  const successor = (await readSuccessor(visit, app.client_id))?.item ?? null
  const [url, mayChange] = [`${appUrl(app.client_id)}/successor`, visit.may('apps:write')]
  if (successor === null)
    return [
      facts(said.heading, [[said.app, plain(said.none)]]),
      ...links(mayChange && [said.set, url]),
    ]
  return [
    facts(said.heading, [
      [said.app, linked(successor.client_id, appUrl(successor.client_id))],
      [said.map, linesOf(successor.worth).map(code)],
    ]),
    ...links(mayChange && [said.change, url], mayChange && [said.remove, `${url}/remove`]),
  ]
}

const fieldsOf = ({ text }: OperatorVisit, app: AppJson, stored: SuccessorJson | null): Field[] => {
  const { successor: said } = text.operator.daily
  const unmapped = app.permissions.filter((one) => one !== 'readData').map((one) => `${one}:`)
  return [
    {
      name: 'client_id',
      kind: 'text',
      label: said.app,
      hint: text.operator.forms.fields.clientId,
      values: [stored?.client_id ?? ''],
      isRequired: true,
      isCode: true,
    },
    {
      name: 'worth',
      kind: 'area',
      label: said.map,
      hint: said.mapHint,
      values: stored ? linesOf(stored.worth) : unmapped,
      isRequired: true,
      isCode: true,
    },
  ]
}

export const operatorSuccessor = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, path, 'apps:write', async (visit) => {
    const { api, request } = visit
    const { faults } = visit.text
    const { daily } = visit.text.operator
    const app = await api.read<AppJson>(`/apps/${parameter(request, 'client_id')}`)
    if (app.interface !== 'legacy') throw new NotFound('page')
    const stored = await readSuccessor(visit, app.client_id)
    return {
      tab: 'apps',
      subject: app.name,
      ...daily.successor.setForm,
      fields: fieldsOf(visit, app, stored?.item ?? null),
      cancelUrl: appUrl(app.client_id),
      ...(stored && { etag: stored.etag }),
      call: async ({ client_id: clientId = '', worth: lines }) => {
        if (!(await api.exists(apiPathOf(String(clientId)))))
          return fieldRefusal('client_id', faults.unknown_app)
        const worth = worthOf(Array.isArray(lines) ? lines.map(String) : [])
        if (worth === null) return fieldRefusal('worth', daily.successor.mapFault)
        const body = { client_id: clientId, worth }
        return { method: 'PUT', path: apiPath(app.client_id), body }
      },
      done: doneAt(visit, appUrl(app.client_id), 'saved'),
    }
  })

  confirmPage(scope, deps, `${path}/remove`, 'apps:write', async (visit) => {
    const { api, request, text } = visit
    const app = await api.read<AppJson>(`/apps/${parameter(request, 'client_id')}`)
    const { etag } = await api.readVersion<SuccessorJson>(apiPath(app.client_id))
    return {
      tab: 'apps',
      words: text.operator.daily.successor.removeForm,
      subject: app.name,
      cancelUrl: appUrl(app.client_id),
      etag,
      call: () => ({ method: 'DELETE', path: apiPath(app.client_id) }),
      done: doneAt(visit, appUrl(app.client_id), 'deleted'),
    }
  })
}
