import type { FastifyInstance } from 'fastify'
import type { SigningKeyJson } from '../../http/operator/tokens/signing-keys.ts'
import { code, links, plain, table, timed } from '../rendering/forms/blocks.ts'
import { confirmPage, doneAt } from './console-form.ts'
import { showConsole, tabUrl } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies } from './gate.ts'

const path = tabUrl('keys')

/** The keys that sign tokens, with their ages. */
export const operatorKeys = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  scope.get(
    path,
    asOperator({ permission: 'keys:read' }, async (visit) => {
      const { text, api, may } = visit
      const { keys, columns, states } = text.operator
      const { items } = await api.list<SigningKeyJson>('/signing-keys', { limit: '50' })
      return showConsole(deps.renderer, visit, {
        tab: 'keys',
        heading: keys.heading,
        lead: keys.lead,
        blocks: [
          ...links(may('keys:write') && [keys.rotate, `${path}/rotate`]),
          table({
            columns: [
              columns.key,
              columns.algorithm,
              columns.state,
              columns.created,
              columns.age,
              columns.retired,
            ],
            rows: items.map((key) => [
              code(key.kid),
              plain(key.alg),
              plain(states[key.status]),
              timed(text, key.created_at),
              timed(text, key.activated_at),
              timed(text, key.retired_at),
            ]),
            empty: keys.empty,
          }),
        ],
      })
    }),
  )
  confirmPage(scope, deps, `${path}/rotate`, 'keys:write', async (visit) => ({
    tab: 'keys',
    words: visit.text.operator.forms.rotateKeys,
    subject: '',
    isHarmless: true,
    cancelUrl: path,
    call: () => ({ method: 'POST', path: '/signing-keys/rotate', body: {} }),
    done: doneAt(visit, path, 'rotated'),
  }))
}
