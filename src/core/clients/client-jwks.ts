import type { JWK } from 'jose'
import type { Patch } from '../audit/changes.ts'
import { type Fault, faultAt } from '../language/faults.ts'
import { publicKeyFaults, publicPart } from '../outbound/public-keys.ts'
import type { AppSettings } from './app-settings.ts'
import { fetchedUrlFaults, type WorkloadRules, workloadFaults } from './workloads.ts'

export type ClientJwks = { keys: object[] }

export const mostKeys = 10

/** Checks the public keys that verify a client's assertions (RFC 7517 §5, RFC 7523). */
export const jwksFaults = async (jwks: ClientJwks | null | undefined): Promise<Fault[]> => {
  if (!jwks) return []
  if (jwks.keys.length === 0 || jwks.keys.length > mostKeys)
    return [faultAt('/jwks/keys', 'jwks', `needs 1 to ${mostKeys} keys`)]
  const faults = await Promise.all(
    jwks.keys.map((key, index) => publicKeyFaults(key as JWK, `/jwks/keys/${index}`)),
  )
  return faults.flat()
}

/** The rules that new keys and new workloads break, which need more than the settings. */
export const assertionFaults = async (
  { jwks, jwksUri, workloads = [] }: Patch<Pick<AppSettings, 'jwks' | 'jwksUri' | 'workloads'>>,
  rules: WorkloadRules,
): Promise<Fault[]> => [
  ...(await jwksFaults(jwks)),
  ...fetchedUrlFaults('/jwks_uri', jwksUri, rules.addresses),
  ...workloadFaults(workloads, rules),
]

/** Without what no signature needs. @param jwks without faults */
export const publicJwks = ({ keys }: ClientJwks): ClientJwks => ({ keys: keys.map(publicPart) })
