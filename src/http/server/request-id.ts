import { randomText } from '../../core/crypto/random.ts'

/** The id that connects an answer with its log lines and audit events. */
export const newRequestId = () => `req_${randomText(12)}`
