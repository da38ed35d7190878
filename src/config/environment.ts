import { type Static, type TProperties, Type } from 'typebox'
import { doorSettings } from './door.ts'
import { legacyEndSettings } from './legacy-end.ts'
import { mailSettings } from './mail.ts'
import {
  addressSettings,
  brandSettings,
  limitSettings,
  observationSettings,
  processSettings,
  tokenSettings,
  webhookSettings,
} from './server-settings.ts'
import { sessionSettings, signInSettings } from './sign-in.ts'
import { keySettings, retentionSettings, storeSettings } from './store-settings.ts'

interface SettingGroup {
  title: string
  /** Markdown between the title and the table. */
  about: string
  settings: TProperties
}

/** All settings, in the order of docs/configuration.md. */
export const settingGroups: readonly SettingGroup[] = [
  { title: 'Address', about: '', settings: addressSettings },
  {
    title: 'Stores',
    about:
      'How to set up the stores: [backups](deploying.md#backups), [TLS](deploying.md#tls-to-the-stores).',
    settings: storeSettings,
  },
  {
    title: 'Keys and secrets',
    about: 'How to replace them: [keys and secrets](keys-and-secrets.md#keys-and-secrets).',
    settings: keySettings,
  },
  {
    title: 'Tokens',
    about:
      'Give all instances the same values. What changes them for one app: [lifetimes](administering.md#lifetimes-of-access-tokens).',
    settings: tokenSettings,
  },
  { title: 'Processes and load', about: '', settings: processSettings },
  {
    title: 'Sign-in',
    about: 'How users sign in, and how they are matched to accounts: [signing in](sign-in.md).',
    settings: signInSettings,
  },
  { title: 'Sessions', about: '', settings: sessionSettings },
  {
    title: 'Limits',
    about: 'What a caller gets at each limit: [limits](operating.md#limits).',
    settings: limitSettings,
  },
  { title: 'Webhooks', about: '', settings: webhookSettings },
  {
    title: 'Mails',
    about: 'What is sent, to whom, and how to set it up: [mails](administering.md#mails).',
    settings: mailSettings,
  },
  {
    title: 'Retention',
    about: 'What is deleted, and how: [clean-up](deploying.md#clean-up).',
    settings: retentionSettings,
  },
  { title: 'Brand', about: '', settings: brandSettings },
  {
    title: 'Logs and metrics',
    about:
      'What they contain: [logs](observing.md#logs), [metrics](observing.md#metrics). Traces have OpenTelemetry’s own settings ([traces](observing.md#traces)); of these, `OTEL_EXPORTER_OTLP_HEADERS` can be in `OTEL_EXPORTER_OTLP_HEADERS_FILE`, and `OTEL_EXPORTER_OTLP_TRACES_HEADERS` in `OTEL_EXPORTER_OTLP_TRACES_HEADERS_FILE`.',
    settings: observationSettings,
  },
  {
    title: 'End of the legacy interface',
    about:
      'The dates go into headers of the legacy endpoints: [moving off the legacy interface](administering.md#moving-off-the-legacy-interface).',
    settings: legacyEndSettings,
  },
  {
    title: 'Door',
    about:
      'For [`latchkey door`](door.md), which also reads `ISSUER` (required), `TOKEN_AUDIENCE`, `LOG_LEVEL`, `METRICS_PORT` and `SHUTDOWN_DRAIN_MS`. The server ignores them.',
    settings: doorSettings,
  },
]

/** Schema of the environment. Secret settings are in `secretSettings` too, so that they can be read from files. */
export const environment = Type.Object({
  ...addressSettings,
  ...storeSettings,
  ...keySettings,
  ...tokenSettings,
  ...processSettings,
  ...signInSettings,
  ...sessionSettings,
  ...limitSettings,
  ...webhookSettings,
  ...mailSettings,
  ...retentionSettings,
  ...brandSettings,
  ...observationSettings,
  ...legacyEndSettings,
  ...doorSettings,
})

/** Settings of earlier versions. A start with one of them is refused, with what takes its place. */
export const goneSettings: Readonly<Record<string, string>> = {
  LIMIT_OPERATOR_FAILURES: 'LIMIT_CLIENT_FAILURES limits wrong operator tokens too',
  LIMIT_SIGN_IN_FAILURES_PER_ADDRESS: 'it is ten times LIMIT_SIGN_IN_FAILURES',
  LIMIT_PASSWORD_REQUESTS: 'it is 50',
  LIMIT_USER_CODES: 'it is 20',
  DELIVERIES_KEPT_DAYS: 'it is 30',
  ENDED_KEPT_DAYS: 'it is 30',
}

export type Environment = Static<typeof environment>
