import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { frameAncestor, type WebMessageTarget } from '../../core/authorization/web-message.ts'

/** Text of the page that returns an answer to the app. Both interfaces send it. Its language follows the page. */
export interface AnswerPageText {
  language: { code: string; direction: string }
  backToApp: { heading: string; lead: string; submit: string; close: string }
}

const script = readFileSync(
  new URL('../../../views/assets/web-message.js', import.meta.url),
  'utf8',
)
const scriptHash = createHash('sha256').update(script).digest('base64')

/**
 * Answers an authorization request with a page that posts the answer to one origin and may be framed by one origin. The
 * answer appears in no URL, and only the script with the given hash runs.
 */
export const sendWebMessage = (
  reply: FastifyReply,
  target: WebMessageTarget,
  parameters: Record<string, string | undefined>,
  text: AnswerPageText,
) =>
  reply
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      [
        "default-src 'none'",
        `script-src 'sha256-${scriptHash}'`,
        "style-src 'self'",
        `frame-ancestors ${frameAncestor(target)}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    )
    // X-Frame-Options cannot name an origin. frame-ancestors replaces it.
    .removeHeader('x-frame-options')
    .view('pages/web-message', {
      text,
      script,
      answer: JSON.stringify({ ...target, response: parameters }),
    })
