// Part of the wiring (app.ts): the endpoints that clients and resource servers call, without cookies.
import type { FastifyInstance } from 'fastify'
import { deviceAuthorization } from '../../http/current/device-authorization.ts'
import type { Engine } from '../../http/current/engine/engine.ts'
import { pushedRequest } from '../../http/current/pushed-request.ts'
import { currentToken } from '../../http/current/token.ts'
import { legacyToken } from '../../http/legacy/token.ts'
import { introspect } from '../../http/oauth/introspect.ts'
import { revoke } from '../../http/oauth/revoke.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { legacyHostOf } from './legacy-host.ts'

export const registerClientFronts = async (
  server: FastifyInstance,
  { config, stores, metrics }: Foundation,
  services: Services,
  engine: Engine,
) => {
  const { limits, audit, usage, dpop, devices, grantTypes } = services
  const { authenticateClient, answerTokenRequest, targets } = services
  const { deviceGrant, assertionGrant, delegationGrant, installCodes, keySetTokens } = services
  const { introspection, revocation } = services
  const { isPublicOrigin } = stores
  const { issuer, audience, legacyEnd } = config
  const outcome = metrics.tokenOutcome
  const token = {
    authenticateClient,
    answerTokenRequest,
    grantTypes,
    limits,
    audit,
    usage,
    outcome,
  }

  const otherGrants = {
    deviceGrant,
    assertionGrant,
    delegationGrant,
    installCodes,
    keySetTokens,
  }
  await server.register(currentToken({ ...token, ...otherGrants, dpop, isPublicOrigin, audience }))
  const legacyHost = legacyHostOf(config.legacyApiOrigin)
  await server.register(legacyToken({ ...token, legacyHost, legacyEnd }))
  await server.register(
    pushedRequest({ engine, authenticateClient, dpop, isPublicOrigin, limits, audit }),
  )
  await server.register(
    deviceAuthorization({ issuer, authenticateClient, devices, targets, limits, audit }),
  )
  await server.register(
    introspect({ introspection, limits, audit, introspected: metrics.introspected }),
  )
  await server.register(revoke({ authenticateClient, revocation, isPublicOrigin, limits, audit }))
}
