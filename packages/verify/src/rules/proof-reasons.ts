/** Why proof of possession failed (`invalid_dpop_proof`, `use_dpop_nonce`). */
export const proofReasons = [
  'proof_algorithm',
  'proof_key',
  'proof_malformed',
  'proof_method',
  'proof_missing',
  'proof_other_key',
  'proof_replayed',
  'proof_signature',
  'proof_stale',
  'proof_token',
  'proof_url',
] as const
export type ProofReason = (typeof proofReasons)[number]
