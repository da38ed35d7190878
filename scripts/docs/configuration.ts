import type { TSchema } from 'typebox'
import { settingGroups } from '../../src/config/environment.ts'
import { secretSettings } from '../../src/config/secret-files.ts'

/** The keywords of JSON Schema that a setting uses. */
interface Setting {
  type?: string
  enum?: readonly string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
}

const beginning = `# Configuration

All settings are environment variables. Every setting has a default. A server on more than one machine needs at least
\`ISSUER\`, \`DATABASE_URL\`, \`REDIS_URL\`, \`LATCHKEY_MASTER_KEY\`, \`LATCHKEY_OPERATOR_TOKEN\` and \`TRUSTED_PROXIES\`. The
server validates all settings at startup. If any are wrong, it reports all faults at once and exits with code 2. An empty
variable counts as not set.

A secret setting can come from a file instead: \`NAME_FILE\` is the path of the file. Setting both is a fault.
[Secrets in files](keys-and-secrets.md#secrets-in-files) describes the format of the file.
`

const commandLine = `## Command line

\`npx --no latchkey\` also reads these variables. Each of them except \`LATCHKEY_URL\` can come from a file as well.

| Setting | Meaning |
|---|---|
| \`LATCHKEY_URL\` | The address of the running server. Without it \`ISSUER\` is used, or else \`http://localhost:PORT\`. |
| \`LATCHKEY_OPERATOR_TOKEN\` | The operator token that a command sends. |
| \`LATCHKEY_CLIENT_SECRET\` | The secret of the app, for \`latchkey token\`. |
| \`LATCHKEY_ACCESS_TOKEN\` | The token for \`latchkey token inspect\`. |
| \`LATCHKEY_REFRESH_TOKEN\` | The token for \`latchkey token refresh\`. |
| \`LATCHKEY_PASSWORD\` | The password for \`latchkey user create\`. |
`

const end =
  'This page is generated from the schema in `src/config` (`npm run docs:configuration`).\n'

const number = (value = 0) => String(value)

const typeOf = (setting: Setting): string => {
  if (setting.enum) return setting.enum.map((one) => `\`${one}\``).join(', ')
  if (setting.type === 'boolean') return '`true`, `false`'
  if (setting.type !== 'integer') return 'text'
  return `${number(setting.minimum)} to ${number(setting.maximum)}`
}

const defaultOf = ({ default: value }: Setting) => (value === '' ? 'none' : `\`${value}\``)

const isSecret = (name: string) => secretSettings.some((one) => one === name)

const rowOf = (name: string, schema: TSchema): string => {
  const setting = schema as Setting
  const names = isSecret(name) ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``
  return `| ${names} | ${typeOf(setting)} | ${defaultOf(setting)} | ${setting.description} |`
}

/** The text of docs/configuration.md. */
export const configurationPage = (): string =>
  [
    beginning,
    ...settingGroups.map(({ title, about, settings }) =>
      [
        `## ${title}`,
        '',
        ...(about === '' ? [] : [about, '']),
        '| Setting | Value | Default | Meaning |',
        '|---|---|---|---|',
        ...Object.entries(settings).map(([name, schema]) => rowOf(name, schema)),
        '',
      ].join('\n'),
    ),
    commandLine,
    end,
  ].join('\n')
