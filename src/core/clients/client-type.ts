/** RFC 6749 §2.1: a public client cannot keep a secret. */
export type ClientType = 'confidential' | 'public'
