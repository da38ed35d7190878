import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { frameAncestor, type WebMessageTarget } from '../../core/authorization/web-message.ts'
import type { AnswerPageText } from './answer-page.ts'

const script = readFileSync(
  new URL('../../../views/assets/web-message.js', import.meta.url),
  'utf8',
)
const scriptHash = createHash('sha256').update(script).digest('base64')

/**
 * Answers an authorization request with a page that posts the answer to one origin, and may be framed by one.
 * Nothing of it is in an address, and no script runs but the one whose hash is named.
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
    // It knows no origins; frame-ancestors says the same and more.
    .removeHeader('x-frame-options')
    .view('pages/web-message', {
      text,
      script,
      answer: JSON.stringify({ ...target, response: parameters }),
    })
