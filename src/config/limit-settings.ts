import { count, countOrZero, whole } from './setting.ts'

export const limitSettings = {
  LIMIT_CLIENT_FAILURES: count(
    'Failed client authentications per minute for an address and a client, and wrong operator tokens for an address.',
    100,
  ),
  LIMIT_CLIENT_FAILURES_PER_ADDRESS: countOrZero(
    'Failed client authentications per minute for an address, for all clients together. 0 means ten times `LIMIT_CLIENT_FAILURES`.',
  ),
  LIMIT_TOKEN_REQUESTS: countOrZero(
    'Token requests of a client per minute; for a public client, counted per address. 0 means no limit.',
  ),
  LIMIT_SIGN_IN_FAILURES: count(
    'Failed sign-ins within ten minutes for an account and an address. An address has ten times as many for all accounts.',
    10,
  ),
  LIMIT_SIGN_INS: count(
    'Sign-ins within ten minutes for an account and an address, including successful ones.',
    100,
  ),
  LIMIT_SIGN_INS_PER_ADDRESS: count(
    'Sign-ins within ten minutes for an address, including successful ones. Raise it for an office with thousands of users behind one address.',
    1000,
  ),
  LIMIT_SESSIONS: count(
    'Sessions of a user at the same time. A further sign-in revokes the oldest session.',
    50,
  ),
  LIMIT_AUTHORIZATIONS: count(
    'Authorization requests within ten minutes that wait for a user: counted per user, or per address when no user is signed in. The same number limits, for public apps, the device flows and the pushed requests that an address starts.',
    1000,
  ),
  LIMIT_GRANTS: count(
    'Grants of a user and an app per minute, once they have half of `GRANTS_PER_USER_AND_APP`.',
    600,
  ),
  LIMIT_PAGE_POSTS: count('Forms that a user sends within ten minutes.', 1000),
  GRANTS_PER_USER_AND_APP: whole(
    'Active grants of one user, app and organization. A further grant revokes the oldest. Grants that expire by themselves (implicit flow, web message) are counted separately.',
    { default: 100, minimum: 1, maximum: 10_000 },
  ),
}
