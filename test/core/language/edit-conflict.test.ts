import t from 'tap'
import {
  type Editable,
  isEditConflict,
  versionOf,
} from '../../../src/core/language/edit-conflict.ts'

const shown: Editable = { id: 'ins1', permissions: ['a', 'b'], workspaceIds: ['w1', 'w2'] }

t.test('the version identifies the values that the form shows', async (t) => {
  const cases: [string, Partial<Editable> & Record<string, unknown>, boolean][] = [
    ['the same', {}, true],
    ['another order', { permissions: ['b', 'a'], workspaceIds: ['w2', 'w1'] }, true],
    ['what is not on the form', { updatedAt: new Date(), suspended: true }, true],
    ['fewer permissions', { permissions: ['a'] }, false],
    ['other workspaces', { workspaceIds: ['w1'] }, false],
    ['no workspace', { workspaceIds: [] }, false],
    ['all workspaces', { workspaceIds: null }, false],
    ['another name', { name: 'x' }, false],
    ['a description', { name: 'x', description: 'y' }, false],
    ['installed anew', { id: 'ins2' }, false],
  ]
  for (const [what, part, same] of cases)
    t.equal(versionOf({ ...shown, ...part }) === versionOf(shown), same, what)
  t.match(versionOf(shown), /^[A-Za-z0-9_-]{22}$/)
})

t.test('a change conflicts with a saved change, unless both are equal', async (t) => {
  const saved = { ...shown, permissions: ['a'] }
  const wanted = { ...shown, workspaceIds: null }
  t.equal(isEditConflict(versionOf(shown), shown, wanted), false, 'nothing was saved in between')
  t.equal(isEditConflict(versionOf(shown), saved, wanted), true)
  t.equal(isEditConflict(versionOf(shown), saved, saved), false, 'both want the same')
  t.equal(isEditConflict('invented', saved, wanted), true)
})
