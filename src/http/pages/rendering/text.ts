import type { FastifyInstance, FastifyRequest } from 'fastify'
import { english } from '../en/english.ts'

/** The words of all pages in one language. Each language is a folder with the shape of `en`. */
export type Text = typeof english

declare module 'fastify' {
  interface FastifyRequest {
    /** The words of the language of this request; null until a page needs them. */
    text: Text | null
  }
}

const texts = new Map<string, Text>([['en', english]])

/** The words in a language; English when it is unknown. */
export const textIn = (language: string | null): Text => texts.get(language ?? 'en') ?? english

/** The words for the reader of a request. */
export const textOf = (request: FastifyRequest): Text => {
  request.text ??= textIn(null)
  return request.text
}

/** Gives each request its place for the words. */
export const decorateWithText = (server: FastifyInstance) => server.decorateRequest('text', null)
