// The schema of trusted workloads, for apps and key sets.
import { Type } from 'typebox'
import {
  longestSubject,
  mostClaims,
  mostWorkloads,
  type Workload,
} from '../../../core/clients/workloads.ts'
import * as api from '../schemas.ts'

const workload = api.closed({
  issuer: api.uri('issuer', 'Exactly the iss of its tokens.'),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestSubject,
      'x-reason': 'workload_subject',
      description: 'Exactly the sub of its tokens. A workload needs a subject or claims.',
    }),
  ),
  claims: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Unknown(), {
      maxProperties: mostClaims,
      'x-reason': 'workload_claims',
      description: 'Claims of its tokens with exactly these values.',
    }),
  ),
  jwks_uri: Type.Optional(
    api.uri('workload_keys', 'The keys of the issuer. Left out: found by discovery.'),
  ),
})

export const workloadList = (description: string) =>
  Type.Unsafe<Workload[]>(Type.Array(workload, { maxItems: mostWorkloads, description }))
