/** Tokens beyond the longest page of the Operator API are shown and deleted in the console too. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import type { VisitedPage, Visitor } from '../../support/visitor.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const count = 201

/** The links to delete a token, on all pages of the list at this address. */
const deletionsFrom = async (visitor: Visitor, list: string, path: string) => {
  const linksOn = ({ dom }: VisitedPage, prefix: string) =>
    dom
      .querySelectorAll(`main a[href^="${prefix}"]`)
      .map((one) => String(one.getAttribute('href')).replaceAll('&amp;', '&'))
  const deletions: string[] = []
  const pages = new Set<string>()
  for (let next: string | undefined = list; next !== undefined && !pages.has(next); ) {
    pages.add(next)
    const page: VisitedPage = await visitor.get(next)
    deletions.push(...linksOn(page, `${path}/`).filter((href) => href.endsWith('/delete')))
    next = linksOn(page, `${list}?`).find((href) => href.includes('after='))
  }
  return { deletions, pages: pages.size }
}

await onEachBackend('long lists of tokens', async (t, { running, stores, world }) => {
  const { operator } = running
  const org = `/operator/organizations/${world.acme}`
  const { visitor } = await visitAs(running, stores, '*')

  const cases: [api: string, list: string, path: string, body: object][] = [
    [`/organizations/${world.acme}/scim-tokens`, `${org}/sign-in`, `${org}/scim-tokens`, {}],
    ['/operator-tokens', '/operator/tokens', '/operator/tokens', { permissions: ['apps:read'] }],
  ]
  for (const [api, list, path, body] of cases)
    await t.test(path, async (t) => {
      for (let n = 0; n < count; n++)
        t.equal((await operator('POST', api, { name: `Token ${n}.`, ...body })).status, 201)
      const { deletions, pages } = await deletionsFrom(visitor, list, path)
      t.equal(new Set(deletions).size, count)
      t.ok(pages > 4, `${pages} pages`)
      for (const href of [deletions[0], deletions.at(-1)]) {
        const page = await visitor.get(String(href))
        t.match(wordsOf(page), /Token \d+\./, 'named')
        t.match(wordsOf(await visitor.submit(page, {})), ' is deleted.')
      }
      t.equal((await deletionsFrom(visitor, list, path)).deletions.length, count - 2)
    })
})
