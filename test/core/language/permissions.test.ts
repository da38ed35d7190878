import t from 'tap'
import { covers, inOrder, intersect, vocabulary } from '../../../src/core/language/permissions.ts'

t.test('no permission is in both vocabularies', async (t) => {
  t.same(intersect(vocabulary.legacy, vocabulary.current), [])
  for (const list of Object.values(vocabulary)) t.equal(new Set(list).size, list.length)
})

t.test('covers needs every permission', async (t) => {
  const cases: [string[], string[], boolean][] = [
    [['a', 'b'], ['a'], true],
    [['a'], [], true],
    [[], [], true],
    [['a'], ['a', 'b'], false],
    [[], ['a'], false],
  ]
  for (const [allowed, requested, expected] of cases)
    t.equal(covers(allowed, requested), expected, `${requested} in ${allowed}`)
})

t.test('intersect keeps the order of the first', async (t) => {
  t.same(intersect(['c', 'a', 'b'], ['a', 'b', 'c'], ['b', 'c']), ['c', 'b'])
  t.same(intersect(['a']), ['a'])
})

t.test(
  'inOrder lists each permission once, built-in ones in vocabulary order, others by name',
  async (t) => {
    t.same(inOrder('legacy', ['zeta', 'addFields', 'readData', 'addFields', 'alpha', 'zeta']), [
      'readData',
      'addFields',
      'alpha',
      'zeta',
    ])
  },
)
