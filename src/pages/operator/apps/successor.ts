// The current app that replaces a legacy app.
import { NotFound } from '../../../core/language/service-errors.ts'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { SuccessorJson } from '../../../http/operator/apps/successors.ts'
import { code, facts, links } from '../../rendering/forms/blocks.ts'
import { listIn } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { fieldRefusal } from '../console-form.ts'
import { linesField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { namedCells, pickedIds, pickField } from '../picked.ts'
import type { Tab } from '../tab.ts'
import { apiPathOf, appPath, appUrl, readApp } from './app.ts'

const path = `${appPath}/successor`
const apiPath = (clientId: string) => `${apiPathOf(clientId)}/twin`

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
  const successor = await visit.api.find<SuccessorJson>(apiPath(app.client_id))
  const [url, mayChange] = [`${appUrl(app.client_id)}/successor`, visit.may('apps:write')]
  if (successor === null)
    return [facts(said.heading, [[said.app, said.none]]), ...links(mayChange && [said.set, url])]
  const { client_id: clientId, worth } = successor.item
  const nameOf = await namedCells(visit, 'app', [clientId])
  return [
    facts(said.heading, [
      [said.app, nameOf([clientId])],
      [said.map, linesOf(worth).map(code)],
    ]),
    ...links(mayChange && [said.change, url], mayChange && [said.remove, `${url}/remove`]),
  ]
}

const fieldsOf = (visit: OperatorVisit, app: AppJson, stored: SuccessorJson | undefined) => {
  const { daily } = visit.text.operator
  const { app: label, map, mapHint } = daily.successor
  const unmapped = app.permissions.filter((one) => one !== 'readData').map((one) => `${one}:`)
  const lines = stored ? linesOf(stored.worth) : unmapped
  return [
    pickField(visit, 'app', 'client_id', label, stored?.client_id),
    linesField('worth', map, lines, { hint: mapHint, isRequired: true }),
  ]
}

const readSuccessor = async (visit: OperatorVisit) => {
  const { item: app, url, subject } = await readApp(visit)
  return { ...(await visit.api.readVersion<SuccessorJson>(apiPath(app.client_id))), url, subject }
}

export const operatorSuccessor = ({ change, confirm }: Tab) => {
  change(path, 'apps:write', readApp, async ({ item: app }, visit) => {
    const { api, text } = visit
    const { successor: said } = text.operator.daily
    if (app.interface !== 'legacy') throw new NotFound('page')
    const at = apiPath(app.client_id)
    const stored = await api.find<SuccessorJson>(at)
    return {
      ...said.setForm,
      fields: fieldsOf(visit, app, stored?.item),
      etag: stored?.etag,
      call: async ({ client_id: clientId = '', worth: lines }) => {
        const picked = await pickedIds(visit, 'app', 'client_id', [String(clientId)])
        if ('refusal' in picked) return picked
        const worth = worthOf(listIn(lines))
        if (worth === null) return fieldRefusal('worth', said.mapFault)
        return { method: 'PUT', path: at, body: { client_id: picked.ids[0], worth } }
      },
    }
  })

  confirm(`${path}/remove`, 'apps:write', readSuccessor, (_, { text }) => ({
    words: text.operator.daily.successor.removeForm,
  }))
}
