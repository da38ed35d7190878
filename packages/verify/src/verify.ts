// `@latchkey-auth/verify`: verifies the tokens of requests in a data API. It runs in the data API's process, so it contains
// nothing of the server except the words of its tokens.

export type {
  Access,
  CurrentPermission,
  InstallAccess,
  KeySetAccess,
  LegacyPermission,
  Permission,
  SelfSignedAccess,
  UserAccess,
} from './access.ts'
export type { Actor } from './actors.ts'
export {
  answerTo,
  type ChallengeOptions,
  challenge,
  type HttpAnswer,
  type LegacyError,
  legacyError,
} from './answers.ts'
export { authorize } from './authorize.ts'
export {
  bearerToken,
  type Credential,
  credentialIn,
  legacyCredential,
  type ProvenToken,
  type RequestHeaders,
} from './credentials.ts'
export {
  type AuthenticationDemand,
  type AuthenticationFault,
  InsufficientAuthentication,
  InsufficientScope,
  isVerificationError,
  type MisuseReason,
  ProofInvalid,
  type ScopeFault,
  type TokenFault,
  TokenInvalid,
  type UnavailableReason,
  type VerificationError,
  VerificationUnavailable,
  WrongUse,
} from './errors.ts'
export type { Problem, ProblemPart, ProblemReason } from './problems.ts'
export type { FoundId, IdOf, Requirement } from './requirement.ts'
export { proofAlgorithms } from './rules/dpop-proof.ts'
export type { Interface } from './rules/permissions.ts'
export type { ProofReason } from './rules/proof-reasons.ts'
export type { Log, Mode, VerifierOptions } from './settings.ts'
export type { Status } from './status.ts'
export { createVerifier, type Verifier } from './verifier.ts'
