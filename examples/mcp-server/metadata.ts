import { proofAlgorithms } from '@latchkey-auth/verify'
import { firstScopes } from './scopes.ts'

export interface Protected {
  /** The address of this server, which is also the audience of its tokens (RFC 8707). */
  resource: string
  /** The authorization server. */
  issuer: string
}

/** RFC 9728 §3.1: between the host and the path of the resource. */
export const metadataPath = (resource: string): string =>
  `/.well-known/oauth-protected-resource${new URL(resource).pathname}`

/** Lets a client that knows only this server find the authorization server (RFC 9728 §2). */
export const metadataOf = ({ resource, issuer }: Protected) => ({
  resource,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: proofAlgorithms,
  // What most clients need. A client asks for more when a tool needs it.
  scopes_supported: firstScopes,
  resource_name: 'MCP server of the examples',
})
