import { count, countOrZero, whole } from './setting.ts'

export const limitSettings = {
  LIMIT_CLIENT_FAILURES: count(
    'Failed client authentications per minute for an address and a client.',
    100,
  ),
  LIMIT_CLIENT_FAILURES_PER_ADDRESS: countOrZero(
    'Failed client authentications per minute for an address, for all clients together. 0 means ten times `LIMIT_CLIENT_FAILURES`.',
  ),
  LIMIT_OPERATOR_FAILURES: count('Wrong operator tokens per minute for an address.', 100),
  LIMIT_TOKEN_REQUESTS: countOrZero(
    'Token requests of a client per minute; for a public client, counted per address. 0 means no limit.',
  ),
  LIMIT_SIGN_IN_FAILURES: count(
    'Failed sign-ins within ten minutes for an account and an address.',
    10,
  ),
  LIMIT_SIGN_IN_FAILURES_PER_ADDRESS: count(
    'Failed sign-ins within ten minutes for an address.',
    100,
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
  LIMIT_PASSWORD_REQUESTS: count(
    'Requests for a new password within ten minutes for an address. A user gets at most three such mails an hour.',
    50,
  ),
  LIMIT_USER_CODES: count('Wrong device codes that a user enters within ten minutes.', 20),
  GRANTS_PER_USER_AND_APP: whole(
    'Active grants of one user, app and organization. A further grant revokes the oldest. Grants that expire by themselves (implicit flow, web message) are counted separately.',
    { default: 100, minimum: 1, maximum: 10_000 },
  ),
}
