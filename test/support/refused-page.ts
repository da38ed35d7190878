import type { Test } from 'tap'

/**
 * A refusal without a redirect: an HTML page with a request id that does not reveal the expected
 * values.
 */
export const expectPage = async (
  t: Test,
  response: Response,
  status: number,
  label: string,
): Promise<string> => {
  const text = await response.text()
  const { headers } = response
  const id = headers.get('x-request-id') ?? ''
  const wrong = [
    response.status !== status && `status ${response.status}`,
    headers.get('location') !== null && `location ${headers.get('location')}`,
    !headers.get('content-type')?.startsWith('text/html') && 'no HTML',
    !/^req_/.test(id) && 'no request id',
    !text.includes(id) && 'request id not on the page',
    headers.get('cache-control') !== 'no-store' && 'may be cached',
    !headers.get('content-security-policy')?.includes("frame-ancestors 'none'") && 'may be framed',
    headers.get('x-frame-options') !== 'DENY' && 'no X-Frame-Options',
    headers.get('referrer-policy') !== 'no-referrer' && 'no Referrer-Policy',
    headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
    headers.get('access-control-allow-origin') !== null && 'readable from elsewhere',
  ].filter((one) => one !== false)
  t.same(wrong, [], label)
  return text
}

/** The text of a page without its reference, for comparisons. */
export const withoutReference = (text: string) => text.replaceAll(/req_[A-Za-z0-9_-]+/g, 'req')
