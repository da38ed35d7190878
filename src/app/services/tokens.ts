// Part of the wiring (app.ts): keys, tokens and the authentication of clients.
import { createClients } from '../../core/clients/authenticate.ts'
import { createForeignSecrets } from '../../core/clients/foreign-secrets.ts'
import { endpointPaths, endpointUrls } from '../../core/language/endpoints.ts'
import type { Passwords } from '../../core/people/passwords.ts'
import { createAccessTokens } from '../../core/tokens/access-tokens.ts'
import { createDpop } from '../../core/tokens/dpop.ts'
import { createIdTokens } from '../../core/tokens/id-tokens.ts'
import { createIssuedTokens } from '../../core/tokens/issued-tokens.ts'
import { createSigningKeys } from '../../core/tokens/signing-keys.ts'
import { createVerificationKeys } from '../../core/tokens/verification-keys.ts'
import type { Foundation } from '../foundation.ts'
import type { Outbound } from './outbound.ts'
import type { Records } from './records.ts'

export const createTokenServices = async (
  { config, stores, keyring }: Foundation,
  { lastUsed, digests }: Records,
  { remoteKeys }: Outbound,
  passwords: Passwords,
) => {
  const { issuer, place, audience, tokenLifetimes: lifetimes } = config
  const { now, records } = stores
  const signingKeys = await createSigningKeys({
    store: stores.signingKeys,
    keyring,
    publishedAhead: config.signingKeyAhead,
    longestLifetime: await stores.longestLifetime.atLeast(Math.max(...Object.values(lifetimes))),
  })
  return {
    signingKeys,
    verificationKeys: createVerificationKeys({ store: stores.verificationKeys, now }),
    accessTokens: createAccessTokens({ signingKeys, issuer, audience, lifetimes, now }),
    issuedTokens: createIssuedTokens({ signingKeys, issuer, now }),
    idTokens: createIdTokens({ signingKeys, issuer, now }),
    dpop: createDpop({ place, records, keyring, now }),
    clients: createClients({
      keyring,
      records,
      remoteKeys,
      now,
      audiences: [
        issuer,
        ...(['token', 'par', 'device', 'revoke'] as const).flatMap((endpoint) =>
          endpointUrls(place, endpointPaths[endpoint][0]),
        ),
      ],
      secretUsed: lastUsed.secret,
      secretShown: digests.shown,
      foreignSecrets: createForeignSecrets({
        store: stores.foreignSecrets,
        keyring,
        verify: passwords.verifySecret,
      }),
    }),
  }
}

export type TokenServices = Awaited<ReturnType<typeof createTokenServices>>
