import type { FastifyInstance } from 'fastify'
import type { LogoFault, LogoStore } from '../../core/logos/logo-store.ts'
import type { Text } from '../../words/text.ts'

const digestShape = /^[0-9a-f]{64}$/

/** The path of a logo; null: none is stored. The content of a path never changes. */
export const logoPath = (digest: string | null = null): string | null =>
  digest && `/logos/${digest}`

/** The path of a logo that a form names; null: it names none. */
export const sentLogoPath = (sent = ''): string | null =>
  digestShape.test(sent) ? logoPath(sent) : null

/** Why pages show the monogram although the app names a logo; null: they do not, or it was not fetched yet. */
export const logoFaultIn = (text: Text, fault: LogoFault | null): string | null => {
  const { logoFaults } = text.developer.app
  if (fault === null) return null
  if (fault === 'svg' || fault === 'too_large' || fault === 'address') return logoFaults[fault]
  return fault === 'image' || fault === 'content_type' ? logoFaults.image : logoFaults.unreachable
}

/** Serves the logos of apps and organizations, which contain pixels only. */
export const logos = (scope: FastifyInstance, { image }: Pick<LogoStore, 'image'>) => {
  scope.get<{ Params: { digest: string } }>('/logos/:digest', async (request, reply) => {
    const { digest } = request.params
    const found = digestShape.test(digest) ? await image(digest) : null
    reply.header('content-security-policy', "default-src 'none'; sandbox")
    if (!found) return reply.code(404).header('cache-control', 'no-store').send()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .type('image/png')
      .send(found)
  })
}
