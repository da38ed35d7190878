import { type Dispatcher, request } from 'undici'

/** Where a browser stopped: at a page, or before an address that is not on this machine. */
export interface Page {
  statusCode: number
  /** The address on another machine; '' at a page. */
  location: string
  text: string
}

const mostRedirects = 10

/** Servers that expect a proxy with TLS before them redirect to https. */
const onThisMachine = (location: string, from: string) => {
  const url = new URL(location, from)
  if (url.hostname !== '127.0.0.1') return null
  url.protocol = 'http:'
  return url.href
}

/**
 * The part of a browser that a sign-in needs: it follows redirects between servers on this machine, and sends each
 * of them all cookies.
 * @param cookie cookies at the start, as in the header
 */
export const openBrowser = (dispatcher: Dispatcher, cookie = '') => {
  const cookies = new Map<string, string>()
  const keep = (pair: string) => {
    const at = pair.indexOf('=')
    if (at > 0) cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
  for (const pair of cookie.split('; ')) keep(pair)
  const cookieHeader = () => [...cookies].map((pair) => pair.join('=')).join('; ')

  const open = async (start: string, fields: Record<string, string> | null): Promise<Page> => {
    let url = start
    let body = fields && new URLSearchParams(fields).toString()
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await request(url, {
        dispatcher,
        method: body === null ? 'GET' : 'POST',
        headers: {
          cookie: cookieHeader(),
          ...(body !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body,
      })
      const text = await answer.body.text()
      for (const line of [answer.headers['set-cookie'] ?? []].flat())
        keep(line.split(';', 1)[0] ?? '')
      const location = String(answer.headers.location ?? '')
      const next = location && onThisMachine(location, url)
      if (!next) return { statusCode: answer.statusCode, location, text }
      url = next
      body = null
    }
    throw new Error(`more than ${mostRedirects} redirects from ${start}`)
  }

  return {
    get: (url: string) => open(url, null),
    /** Sends a form. */
    post: (url: string, fields: Record<string, string>) => open(url, fields),
    /** All cookies, as in the header. */
    cookieHeader,
  }
}
