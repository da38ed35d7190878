import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerTo, authorize, credentialIn, type Verifier } from '@latchkey-auth/verify'
import type { AuthInfo } from '@modelcontextprotocol/server'
import { firstScopes } from './scopes.ts'

export interface GateOptions {
  verifier: Verifier
  resource: string
  /** The address of the metadata, for challenges. */
  resourceMetadataUrl: string
}

/**
 * Verifies the token of a request. Tools look up data in the token's own organization; the SDK compares the permissions
 * of each tool with `scopes`. @returns null after the request was refused: 401, or 503 when the token cannot be verified
 * now
 */
export const createGate =
  ({ verifier, resource, resourceMetadataUrl }: GateOptions) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<AuthInfo | null> => {
    try {
      const { method = '', headersDistinct } = request
      const credential = credentialIn(headersDistinct, { method, url: resource })
      const access = await authorize(verifier, credential, {
        interface: 'current',
        organization: ({ access }) => access.organizationId,
      })
      return {
        token: '',
        clientId: access.clientId,
        scopes: [...access.permissions],
        resourceMetadataUrl,
        extra: { access },
      }
    } catch (error) {
      const scope = firstScopes.join(' ')
      const answer = answerTo(error, { resourceMetadata: resourceMetadataUrl, scope, dpop: true })
      if (!answer) throw error
      const { status, headers, body } = answer
      response.writeHead(status, { ...headers, 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
      return null
    }
  }
