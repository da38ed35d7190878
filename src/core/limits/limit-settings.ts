export interface LimitSettings {
  /** Failed client authentications per address and client in a minute, and wrong operator tokens per address. */
  clientFailures: number
  /** Failed client authentications per address in a minute, over all clients. */
  clientFailuresPerAddress: number
  /** Token requests in a minute of one client, or of one public client per address; 0: unlimited. */
  tokenRequests: number
  /** Failed sign-ins per account and address in ten minutes. */
  signInFailures: number
  /** Failed sign-ins per address in ten minutes. */
  signInFailuresPerAddress: number
  /** Sign-ins per account and address in ten minutes, including successful ones. */
  signIns: number
  /** Sign-ins per address in ten minutes, including successful ones. */
  signInsPerAddress: number
  /** Sessions of one user at the same time. */
  sessions: number
  /** Pending authorization requests in ten minutes, per user, or per address when no user is signed in. */
  authorizations: number
  /** Grants of one user and app in a minute, once they have many. */
  grants: number
  /** Forms of one user in ten minutes. */
  pagePosts: number
  /** Requests for a new password per address in ten minutes. */
  passwordRequests: number
  /** Wrong user codes of one user in ten minutes. */
  userCodes: number
}

/** Which limit was reached; stable, for logs and metrics. */
export const limitReasons = [
  'authorizations_of_address',
  'authorizations_of_person',
  'client_failures',
  'client_failures_of_address',
  'devices_of_address',
  'documents_of_address',
  'documents_of_host',
  'exports',
  'grants',
  'logo_uploads',
  'operator_failures',
  'page_posts',
  'password_requests',
  'provisioning',
  'pushed_requests_of_address',
  'sign_in_failures',
  'sign_ins',
  'sign_ins_of_address',
  'token_requests',
  'user_codes',
] as const
export type LimitReason = (typeof limitReasons)[number]
