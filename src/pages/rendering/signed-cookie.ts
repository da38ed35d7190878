// Values that a browser keeps for our pages, signed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Browser } from '../../http/browser/browser.ts'

export const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? ''

/** @param maxAge seconds */
export const writeCookie = (
  reply: FastifyReply,
  name: string,
  value: object,
  maxAge: number,
  of: Browser,
) => {
  const word = Buffer.from(JSON.stringify(value)).toString('base64url')
  reply.setCookie(name, word, { ...of.cookie.options, signed: true, maxAge })
}

/** @returns null for none, and for one that we have not written */
export const readCookie = <Value>(request: FastifyRequest, name: string): Value | null => {
  const { valid, value } = request.unsignCookie(request.cookies[name] ?? '')
  return valid ? (JSON.parse(Buffer.from(value ?? '', 'base64url').toString()) as Value) : null
}
