import t from 'tap'
import {
  afterPage,
  type GivenWorkspaces,
  isWithinConsent,
  limitOf,
} from '../../../src/core/authorization/offered-workspaces.ts'

const reach = ['a', 'b', 'c']
const given = (
  offeredWorkspaceIds: string[] | null,
  workspaceIds: string[] | null,
): GivenWorkspaces => ({ offeredWorkspaceIds, workspaceIds })
const page = (requested: string[] | null, ticked: string[]) => ({
  requested,
  present: requested ?? reach,
  ticked,
  reach,
})

t.test('which workspaces are asked for again', async (t) => {
  const cases: [string, GivenWorkspaces, string[] | null, boolean][] = [
    ['everything was allowed', given(null, null), null, true],
    ['everything was offered, and a part allowed', given(null, ['a']), null, true],
    ['only a part was offered', given(['a'], ['a']), null, false],
    ['by name, and it was allowed', given(['a', 'b'], ['a', 'b']), ['a'], true],
    ['by name, and everything was allowed', given(null, null), ['a'], true],
    ['by name, and it was not offered', given(['a'], ['a']), ['b'], false],
    ['by name, and it was unticked', given(null, ['a']), ['b'], false],
  ]
  for (const [what, before, requested, isCovered] of cases)
    t.equal(isWithinConsent(before, requested), isCovered, what)
})

t.test('which workspaces are remembered after a page', async (t) => {
  type Case = [string, GivenWorkspaces | null, string[] | null, string[], GivenWorkspaces]
  const cases: Case[] = [
    ['everything, all ticked', null, null, reach, given(null, null)],
    ['everything, a part ticked', null, null, ['b'], given(null, ['b'])],
    ['everything replaces', given(['a'], ['a']), null, ['b'], given(null, ['b'])],
    ['one by name', null, ['a'], ['a'], given(['a'], ['a'])],
    ['another one', given(['a'], ['a']), ['b'], ['b'], given(['a', 'b'], ['a', 'b'])],
    ['a part of two', given(['a'], ['a']), ['b', 'c'], ['c'], given(['a', 'b', 'c'], ['a', 'c'])],
    ['one taken back', given(['a', 'b'], ['a', 'b']), ['a', 'b'], ['b'], given(['a', 'b'], ['b'])],
    ['less than everything', given(null, null), ['a'], ['a'], given(null, null)],
    ['less than a part', given(null, ['a', 'b']), ['a'], ['a'], given(null, ['b', 'a'])],
    ['one more of everything', given(null, ['a']), ['b'], ['b'], given(null, ['a', 'b'])],
    ['taken back of everything', given(null, null), ['a', 'b'], ['b'], given(null, ['c', 'b'])],
  ]
  for (const [what, before, requested, ticked, after] of cases)
    t.same(afterPage(before, page(requested, ticked)), after, what)
})

t.test('a limit exists where a box was unticked or the app named workspaces', async (t) => {
  t.equal(limitOf(page(null, reach)), null)
  t.same(limitOf(page(null, ['a'])), ['a'])
  t.same(limitOf(page(['a', 'b'], ['b', 'a'])), ['a', 'b'])
  t.equal(limitOf({ ...page(null, reach), later: true }), null)
  t.same(limitOf({ ...page(null, reach), later: false }), reach, 'these, and none joined later')
})
