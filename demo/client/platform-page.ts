import type { FastifyInstance } from 'fastify'
import { apps } from '../cast.ts'
import { contentPolicy } from './content-policy.ts'
import type { DemoClient } from './context.ts'

/** Sample rows of the platform. */
const rows = [
  { id: 'row1', customer: 'Northwind', stage: 'Won', amount: '12,400' },
  { id: 'row2', customer: 'Contoso', stage: 'Open', amount: '3,150' },
  { id: 'row3', customer: 'Fabrikam', stage: 'Open', amount: '8,900' },
  { id: 'row4', customer: 'Adatum', stage: 'Lost', amount: '1,020' },
  { id: 'row5', customer: 'Litware', stage: 'Won', amount: '5,600' },
]

const framed = ['recordCards', 'rowCounter'] as const

/**
 * A page of a platform with an app of another site in a frame. It also loads the host's script from the server, and
 * frames the app and the server's answers.
 */
export const platformRoutes = (server: FastifyInstance, client: DemoClient) => {
  const { issuer, framesUrl, seeded } = client
  const policy = contentPolicy(
    issuer,
    `script-src 'self' ${issuer}`,
    `frame-src ${issuer} ${framesUrl}`,
    "frame-ancestors 'none'",
  )

  for (const key of framed) {
    const { clientId, redirectUri } = seeded.apps[key]
    const { name, description, callback, interface: generation } = apps[key]
    const others = framed
      .filter((one) => one !== key)
      .map((one) => ({ name: apps[one].name, href: `/platform${apps[one].callback}` }))
    server.get(`/platform${callback}`, (_request, reply) =>
      client.page(reply.header('content-security-policy', policy), 'platform', {
        title: 'Inside the platform',
        rows,
        stages: [...new Set(rows.map(({ stage }) => stage))],
        app: { name, description, interface: generation, clientId, src: redirectUri },
        organizationId: seeded.acmeId,
        others,
      }),
    )
  }
}
