import { randomText } from '../../core/crypto/random.ts'

/** By which a refusal is found in the log and in the audit trail. */
export const newRequestId = () => `req_${randomText(12)}`
