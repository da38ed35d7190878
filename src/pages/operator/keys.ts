import type { SigningKeyJson } from '../../http/operator/tokens/signing-keys.ts'
import { code, links, timed } from '../rendering/forms/blocks.ts'
import { tabUrl } from './console-page.ts'
import { listTable } from './list-table.ts'
import type { Tab } from './tab.ts'

const path = tabUrl('keys')

export const operatorKeys = ({ page, form }: Tab) => {
  page(path, 'keys:read', async (visit) => {
    const { text, may } = visit
    const { keys, columns, states } = text.operator
    return {
      heading: keys.heading,
      lead: keys.lead,
      blocks: [
        ...links(may('keys:write') && [keys.rotate, `${path}/rotate`]),
        await listTable<SigningKeyJson>(visit, {
          ...{ from: '/signing-keys', url: path, limit: '50', empty: keys.empty },
          columns: [
            [columns.key, (key) => code(key.kid)],
            [columns.algorithm, (key) => key.alg],
            [columns.state, (key) => states[key.status], 'status'],
            [columns.created, (key) => timed(text, key.created_at), 'created_at'],
            [columns.age, (key) => timed(text, key.activated_at)],
            [columns.retired, (key) => timed(text, key.retired_at)],
          ],
        }),
      ],
    }
  })

  form(`${path}/rotate`, 'keys:write', ({ text }) => ({
    ...text.operator.forms.rotateKeys,
    subject: '',
    fields: [],
    cancelUrl: path,
    call: { method: 'POST', path: '/signing-keys/rotate', body: {} },
    done: 'rotated',
  }))
}
