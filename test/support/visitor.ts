import { type HTMLElement, parse } from 'node-html-parser'

/** A page as a browser without JavaScript sees it. */
export interface VisitedPage {
  /** Without the path of the issuer. */
  url: URL
  status: number
  headers: Headers
  text: string
  dom: HTMLElement
  /** The target of a redirect that leaves the server; null while the visit stays there. */
  left: URL | null
}

export interface Visitor {
  cookies: Map<string, string>
  get(url: string | URL): Promise<VisitedPage>
  /** One request, without following redirects. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /**
   * Submits the form of a page with its own hidden fields and ticks, changed by `changes` (null
   * removes).
   */
  submit(
    page: VisitedPage,
    changes: Record<string, string | string[] | null>,
    headers?: Record<string, string>,
  ): Promise<VisitedPage>
}

const keepCookies = (jar: Map<string, string>, response: Response) => {
  for (const line of response.headers.getSetCookie()) {
    const [pair, ...attributes] = line.split(';')
    const at = (pair as string).indexOf('=')
    const name = (pair as string).slice(0, at)
    const gone = attributes.some((one) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(one))
    if (gone) jar.delete(name)
    else jar.set(name, (pair as string).slice(at + 1))
  }
}

/** The fields that a browser would send for this form. */
export const formFields = (form: HTMLElement): [string, string][] =>
  form.querySelectorAll('input, textarea').flatMap((input): [string, string][] => {
    const name = input.getAttribute('name')
    const type = input.getAttribute('type') ?? 'text'
    if (!name || type === 'submit') return []
    if ((type === 'checkbox' || type === 'radio') && !input.hasAttribute('checked')) return []
    const value = input.tagName === 'TEXTAREA' ? input.text : input.getAttribute('value')
    return [[name, value ?? '']]
  })

/** The form of a page for the current decision (the last one: the first may be "not you?"). */
export const mainForm = (page: VisitedPage): HTMLElement => {
  const forms = page.dom.querySelectorAll('main form')
  const form = forms.find((one) => !one.getAttribute('action')?.endsWith('/logout')) ?? forms[0]
  if (!form)
    throw new Error(`no form on ${page.url.href} (${page.status}): ${page.text.slice(0, 300)}`)
  return form
}

/**
 * @param issuer the server; a redirect to another origin ends the visit. Paths that a test names are below the path of the
 * issuer. Redirects and forms must name it.
 */
export const createVisitor = (issuer: string): Visitor => {
  const cookies = new Map<string, string>()
  const { origin, pathname } = new URL(issuer)
  const prefix = pathname.replace(/\/$/, '')
  const isBelow = ({ pathname: path }: URL) => path === prefix || path.startsWith(`${prefix}/`)

  const below = (url: string | URL) => {
    const at = new URL(url, origin)
    if (at.origin === origin && !isBelow(at)) at.pathname = prefix + at.pathname
    return at
  }
  const demandBelow = (url: URL) => {
    if (url.origin === origin && !isBelow(url))
      throw new Error(`${url.href} is not below ${issuer}`)
    return url
  }
  const withoutPrefix = (url: URL) => {
    const shown = new URL(url)
    if (isBelow(shown)) shown.pathname = shown.pathname.slice(prefix.length) || '/'
    return shown
  }

  const request = async (url: string | URL, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(below(url), {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) },
    })
    keepCookies(cookies, response)
    return response
  }

  const follow = async (url: URL, init: RequestInit = {}): Promise<VisitedPage> => {
    let at = url
    let response = await request(at, init)
    for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
      if (hops > 10) throw new Error(`too many redirects at ${at.href}`)
      const next = new URL(response.headers.get('location') ?? '', at)
      demandBelow(next)
      if (next.origin !== origin) {
        return pageOf(at, response, await response.text(), next)
      }
      await response.arrayBuffer()
      at = next
      response = await request(at)
    }
    return pageOf(at, response, await response.text(), null)
  }

  const pageOf = (url: URL, response: Response, text: string, left: URL | null): VisitedPage => ({
    url: withoutPrefix(url),
    status: response.status,
    headers: response.headers,
    text,
    dom: parse(text),
    left,
  })

  return {
    cookies,
    fetch: request,
    get: (url) => follow(below(url)),
    submit: (page, changes, headers = {}) => {
      const form = mainForm(page)
      const kept = formFields(form).filter(([name]) => !(name in changes))
      const added = Object.entries(changes).flatMap(([name, value]) =>
        (value === null ? [] : [value].flat()).map((one): [string, string] => [name, one]),
      )
      return follow(demandBelow(new URL(form.getAttribute('action') ?? '', below(page.url))), {
        method: 'POST',
        body: new URLSearchParams([...kept, ...added]),
        headers,
      })
    },
  }
}

export interface Answers {
  email: string
  password: string
  organizationId?: string
  /** The boxes to tick; absent: as on the page. */
  permissions?: string[]
  workspaceIds?: string[]
  decision?: 'approve' | 'deny'
}

/** The kind of a page, by its form fields. */
export const pageKind = (page: VisitedPage) => {
  const has = (selector: string) => page.dom.querySelector(selector) !== null
  if (has('input[name="password"]')) return 'sign-in'
  if (has('input[type="radio"][name="organization_id"]')) return 'choose-organization'
  if (has('button[name="decision"][value="request"]')) return 'ask-admin'
  if (has('button[name="decision"][value="approve"]')) return 'decide'
  return 'other'
}

/** Sends a sign-in again for some time while the server checks too many passwords, as it does on a busy machine. */
export const whileBusy = async (send: () => Promise<VisitedPage>): Promise<VisitedPage> => {
  let page = await send()
  for (
    let tries = 0;
    page.status === 503 && page.headers.has('retry-after') && tries < 20;
    tries++
  ) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    page = await send()
  }
  return page
}

/**
 * Walks from an authorization URL to the app, answering each page on the way. @returns the last
 * page; `left` is the redirect to the app
 */
export const walk = async (visitor: Visitor, url: string | URL, answers: Answers) => {
  const { email, password } = answers
  let page = await visitor.get(url)
  for (let steps = 0; steps < 8 && !page.left; steps++) {
    switch (pageKind(page)) {
      case 'sign-in': {
        const form = page
        page = await whileBusy(() => visitor.submit(form, { email, password }))
        if (page.status === 401) return page
        break
      }
      case 'choose-organization':
        page = await visitor.submit(page, { organization_id: answers.organizationId ?? '' })
        break
      case 'decide':
        page = await visitor.submit(page, {
          decision: answers.decision ?? 'approve',
          ...(answers.permissions && { permissions: answers.permissions }),
          ...(answers.workspaceIds && { workspace_ids: answers.workspaceIds }),
        })
        break
      default:
        return page
    }
  }
  return page
}
