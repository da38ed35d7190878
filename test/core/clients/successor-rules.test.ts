import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  allowsReading,
  isLessAuthenticated,
  mapFaults,
  mapInOrder,
  mappedPermissions,
  successorGrantId,
} from '../../../src/core/clients/successor-rules.ts'

const map = {
  insertData: ['records:create'],
  updateData: ['records:update', 'records:create'],
  readData: [],
}

t.test('legacy permissions map to the configured permissions only', async (t) => {
  const rows: [legacy: string[], worth: string[]][] = [
    [[], []],
    [['readData'], []],
    [['insertData'], ['records:create']],
    [
      ['updateData', 'insertData'],
      ['records:create', 'records:update'],
    ],
    [['deleteData', 'addFields'], []],
    [['constructor', '__proto__', 'toString'], []],
  ]
  for (const [legacy, worth] of rows)
    t.same(mappedPermissions(map, legacy), worth, legacy.join(' '))
})

t.test('each current token can read', async (t) => {
  t.equal(allowsReading(['insertData', 'readData']), true)
  t.equal(allowsReading(['insertData', 'readMembers']), false)
  t.equal(allowsReading([]), false)
})

t.test('a successor cannot give up the client secret', async (t) => {
  const [open, closed] = [{ clientType: 'public' }, { clientType: 'confidential' }] as const
  t.equal(isLessAuthenticated(open, closed), true)
  t.equal(isLessAuthenticated(closed, open), false)
  t.equal(isLessAuthenticated(open, open), false)
  t.equal(isLessAuthenticated(closed, closed), false)
})

t.test('validates the permission map', async (t) => {
  const own = ['insertData', 'invoices']
  const allowed = ['records:create', 'records:update']
  const rows: [map: Record<string, string[]>, pointers: string[]][] = [
    [{}, []],
    [map, []],
    [{ writeData: [] }, ['/worth']],
    [{ invoices: ['records:create'], invoicing: [] }, ['/worth']],
    [{ __proto__: [] } as unknown as Record<string, string[]>, []],
    [{ insertData: ['insertData'] }, ['/worth/insertData']],
    [{ insertData: ['records:delete'] }, ['/worth/insertData']],
    [{ insertData: ['records:create'], addFields: ['table:create'] }, ['/worth/addFields']],
  ]
  for (const [one, pointers] of rows)
    t.same(
      mapFaults(one, own, allowed).map(({ pointer }) => pointer),
      pointers,
      JSON.stringify(one),
    )
})

t.test('normalizing a permission map is idempotent', async (t) => {
  const ordered = mapInOrder(map)
  t.same(Object.keys(ordered), ['readData', 'insertData', 'updateData'])
  t.same(ordered.updateData, ['records:create', 'records:update'])
})

t.test('a grant has exactly one successor id (RFC 9562 §5.8)', async (t) => {
  const ids = Array.from({ length: 200 }, () => randomUUID())
  const successors = ids.map(successorGrantId)
  t.same(ids.map(successorGrantId), successors)
  t.equal(new Set([...ids, ...successors]).size, 400)
  for (const one of successors)
    t.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
