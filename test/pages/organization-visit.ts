import { parse } from 'node-html-parser'
import type { VisitedPage, Visitor } from '../support/visitor.ts'

/** The page reduced to the form whose button makes this decision about this object. */
export const formOf = (
  page: VisitedPage,
  decision: string,
  about: Record<string, string> = {},
): VisitedPage => {
  const form = page.dom.querySelectorAll('main form').find((one) => {
    const button = one.querySelector(`button[name="decision"][value="${decision}"]`)
    const fits = Object.entries(about).every(([name, value]) =>
      one
        .querySelectorAll(`input[name="${name}"]`)
        .some((input) => input.getAttribute('value') === value),
    )
    return button !== null && fits
  })
  if (!form) throw new Error(`no form to ${decision} on ${page.url.href} (${page.status})`)
  return { ...page, dom: parse(`<main>${form.outerHTML}</main>`) }
}

/** Presses that button with other checkboxes ticked. */
export const decide = (
  visitor: Visitor,
  page: VisitedPage,
  decision: string,
  about: Record<string, string> = {},
  changes: Record<string, string | string[] | null> = {},
): Promise<VisitedPage> => visitor.submit(formOf(page, decision, about), { ...changes, decision })

/** The anti-forgery field of a page of this visitor. */
const csrfOf = async (visitor: Visitor, path = '/logout'): Promise<string> =>
  (await visitor.get(path)).dom.querySelector('input[name="_csrf"]')?.getAttribute('value') ?? ''

/** A POST as a script with the right fields sends it, without following redirects. */
export const postFields = async (
  visitor: Visitor,
  url: string,
  fields: Record<string, string>,
): Promise<Response> =>
  visitor.fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ _csrf: await csrfOf(visitor), ...fields }),
  })

/** The visible text of the page. */
export const wordsOf = (page: VisitedPage): string =>
  page.dom.querySelector('main')?.text.replaceAll(/\s+/g, ' ').trim() ?? ''

/** The card of this app or key set. */
export const cardOf = (page: VisitedPage, field: string, value: string) => {
  const card = page.dom
    .querySelectorAll('li.panel')
    .find((one) => one.querySelector(`input[name="${field}"][value="${value}"]`) !== null)
  return card ? card.text.replaceAll(/\s+/g, ' ').trim() : null
}

/** The values that are ticked. An empty one counts as absent: "Only these…" adds nothing to the ticked workspaces. */
export const ticked = (page: VisitedPage, name: string): string[] =>
  page.dom
    .querySelectorAll(`input[name="${name}"][checked]`)
    .map((input) => input.getAttribute('value') ?? '')
    .filter((value) => value !== '')

/** The secret that the page shows, or null. */
export const secretOn = (page: VisitedPage): string | null =>
  page.dom.querySelector('#secret')?.getAttribute('value') ?? null

/** The words in the line of the table that links to this app. */
export const rowOf = (page: VisitedPage, clientId: string): string | null => {
  const end = `/apps/${encodeURIComponent(clientId)}`
  const row = page.dom
    .querySelectorAll('table tbody tr')
    .find((one) => one.querySelector('a')?.getAttribute('href')?.endsWith(end))
  return row ? row.text.replaceAll(/\s+/g, ' ').trim() : null
}

/** The card of this key set. */
export const keySetCard = (page: VisitedPage, id: string): string | null => {
  const card = page.dom.querySelectorAll('li.panel').find((one) => one.querySelector(`h2#${id}`))
  return card ? card.text.replaceAll(/\s+/g, ' ').trim() : null
}

/** The page reduced to the form of its notice. */
const undoOf = (page: VisitedPage) => {
  const form = page.dom.querySelector('form[action="/undo"]')
  if (!form) throw new Error(`nothing can be undone on ${page.url.href}: ${wordsOf(page)}`)
  return { ...page, dom: parse(`<main>${form.outerHTML}</main>`) }
}

/** Takes back what the notice of the page says. */
export const undo = (visitor: Visitor, page: VisitedPage) => visitor.submit(undoOf(page), {})
