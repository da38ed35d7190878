import { longestTokenLifetime, shortestTokenLifetime } from '../core/clients/token-lifetime.ts'
import { languages } from '../core/language/languages.ts'
import { choice, count, countOrZero, flag, port, text, whole } from './setting.ts'

export const addressSettings = {
  ISSUER: text(
    'The public address of the server, such as `https://auth.example.com`, perhaps [with a path](deploying.md#under-a-path). Clients compare it byte by byte, a final slash included. Without it the issuer is `http://localhost:PORT`: the server then answers at 127.0.0.1 and [::1] too, and leads pages to `localhost`. With `https`, cookies are `Secure` and the server sends HSTS (not at `localhost`).',
  ),
  ENDPOINT_ALIASES: text(
    'Further paths of endpoints, for clients of the server that this one replaces: `/path=endpoint`, separated by commas ([the endpoints](deploying.md#old-paths)).',
  ),
  PORT: port('The port that the server listens on.', 3000),
  HOST: text('The network address that the server listens on.', '127.0.0.1'),
  TRUSTED_PROXIES: text(
    'IP addresses and CIDR ranges of your proxies, separated by commas or spaces. The server accepts `X-Forwarded-For` from these addresses only ([how it is read](deploying.md#the-address-of-a-client)). All addresses (`0.0.0.0/0`) are refused.',
  ),
  TOKEN_AUDIENCE: text(
    'The `aud` claim of access tokens. Without it the value of `ISSUER` is used.',
  ),
  PLATFORM_ORIGINS: text(
    'Origins of the platform’s pages that contain [apps in frames](for-web-apps.md#on-the-platforms-page), separated by commas. They must be of the same site as `ISSUER`.',
  ),
  LEGACY_ORIGIN: text(
    'The origin of the legacy endpoints. If set, the legacy authorization page answers on the host of this origin only, and so does the legacy token endpoint unless `LEGACY_API_ORIGIN` is set; otherwise they answer on every host. With a host name other than that of `ISSUER`, users of legacy apps can sign in by password only ([more](sign-in.md#on-another-host)).',
  ),
  LEGACY_API_ORIGIN: text(
    'The origin of the legacy token endpoint, if it is another one than `LEGACY_ORIGIN`. If set, this endpoint answers on the host of this origin only.',
  ),
}

const tokenSeconds = (description: string, fallback: number) =>
  whole(description, {
    default: fallback,
    minimum: shortestTokenLifetime,
    maximum: longestTokenLifetime,
  })

export const tokenSettings = {
  CURRENT_TOKEN_SECONDS: tokenSeconds(
    'Seconds for which access tokens of the current interface are valid. An app may have less.',
    3600,
  ),
  LEGACY_TOKEN_SECONDS: tokenSeconds(
    'Seconds for which access tokens of the legacy interface are valid. An app may have less.',
    7200,
  ),
}

export const processSettings = {
  WORKERS: text(
    'The number of processes that share the port, from 1 to 64, or `auto` for one process per core ([more](deploying.md#all-cores)).',
    '1',
  ),
  MAX_REQUESTS_UNDER_WAY: count(
    'The number of requests that a process handles at the same time. Further requests are refused with 503 and `Retry-After`.',
    500,
  ),
  MAX_EVENT_LOOP_DELAY_MS: whole(
    'Milliseconds of event loop delay. When the delay is longer several times in a row, the process refuses new requests with 503.',
    { default: 500, minimum: 10, maximum: 60_000 },
  ),
  SHUTDOWN_DRAIN_MS: whole(
    'Milliseconds for which the server accepts requests after `SIGTERM`, so that clients and load balancers can leave in time.',
    { default: 1000, minimum: 0, maximum: 6000 },
  ),
}

export const brandSettings = {
  BRAND_NAME: text('The name of the server on its pages.', 'Latchkey'),
  BRAND_LOGO_URI: text('The address of a logo for the pages.'),
  DEFAULT_LOCALE: choice(
    'The language of pages and mails for people who have chosen none and whose browser asks for none of ours ([languages](sign-in.md#languages)).',
    [...languages],
    'en',
  ),
  BRAND_ACCENT: text('The accent colour of the pages, such as `#3355cc`.'),
  SUPPORT_URI: text(
    'Where users get help: an `https` or `mailto` address. The footer of every page links to it.',
  ),
  PRIVACY_URI: text(
    'Your privacy policy: an `https` address. The footer of every page links to it, and the metadata names it (`op_policy_uri`).',
  ),
  TERMS_URI: text(
    'Your terms of service: an `https` address. The footer of every page links to it, and the metadata names it (`op_tos_uri`).',
  ),
}

export const webhookSettings = {
  WEBHOOK_ALLOW_PRIVATE: flag(
    'If `true`, webhooks may go to private addresses and without TLS, and keys and documents of other servers may be fetched so. Use it for development and closed networks only.',
    false,
  ),
}

export const observationSettings = {
  LOG_LEVEL: choice(
    'The least severe level that is logged.',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
  ),
  METRICS_PORT: port(
    'A second port that serves `/metrics` without a token. 0 means no such port.',
    0,
  ),
  METRICS_TOKEN: text(
    'A bearer token for `/metrics` on `PORT`, in visible ASCII characters. Without it `PORT` does not serve `/metrics`.',
  ),
}

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
