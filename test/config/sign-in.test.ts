import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import type { ConfigError } from '../../src/config/config-error.ts'

const provider = {
  OIDC_ISSUER: 'https://id.example/tenant',
  OIDC_CLIENT_ID: 'latchkey',
  OIDC_CLIENT_SECRET: 'secret',
}

const elsewhere = { ISSUER: 'https://auth.example', LEGACY_ORIGIN: 'https://legacy.example' }

t.test('defaults of the sign-in settings', async (t) => {
  t.same(readConfig({}).signIn, {
    provider: null,
    providerOnly: false,
    adminPasskeyRequired: false,
    operatorPasskeyRequired: true,
    sessionIdle: 14_400,
    recentSignIn: 600,
  })
  t.match(readConfig(provider).signIn.provider, {
    issuer: 'https://id.example/tenant',
    scope: 'openid profile email',
    claims: { email: 'email', name: 'name' },
    buttonLabel: null,
    requireVerifiedEmail: true,
  })
})

t.test('all faults of the sign-in settings are reported at once', async (t) => {
  const rows: [environment: NodeJS.ProcessEnv, faults: string[]][] = [
    [{ OIDC_ISSUER: 'id.example' }, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
    [{ ...provider, OIDC_ISSUER: 'http://id.example' }, ['OIDC_ISSUER']],
    [{ ...provider, OIDC_ISSUER: 'https://u:p@id.example' }, ['OIDC_ISSUER']],
    [{ ...provider, OIDC_ISSUER: 'http://127.0.0.1:4000' }, []],
    [{ ...provider, OIDC_SCOPES: 'profile email' }, ['OIDC_SCOPES']],
    [{ OIDC_ONLY: 'true' }, ['OIDC_ONLY']],
    [{ OIDC_ONLY: 'yes' }, ['OIDC_ONLY']],
    [
      { ADMIN_PASSKEY_REQUIRED: 'true', ISSUER: 'http://127.0.0.1:3000' },
      ['ADMIN_PASSKEY_REQUIRED'],
    ],
    [{ ADMIN_PASSKEY_REQUIRED: 'true' }, []],
    [{ ADMIN_PASSKEY_REQUIRED: 'true', ISSUER: 'https://auth.example' }, []],
    [{ OPERATOR_PASSKEY_REQUIRED: 'false' }, []],
    [
      { OPERATOR_PASSKEY_REQUIRED: 'false', ISSUER: 'https://auth.example' },
      ['OPERATOR_PASSKEY_REQUIRED=false'],
    ],
    [{ ...provider, ...elsewhere }, ['OIDC_ISSUER']],
    [{ ...provider, ...elsewhere, OIDC_ONLY: 'true' }, ['OIDC_ISSUER']],
    [{ ...elsewhere, ADMIN_PASSKEY_REQUIRED: 'true' }, ['ADMIN_PASSKEY_REQUIRED']],
    [
      { ...provider, ...elsewhere, ADMIN_PASSKEY_REQUIRED: 'true' },
      ['OIDC_ISSUER', 'ADMIN_PASSKEY_REQUIRED'],
    ],
    [elsewhere, []],
    [{ ...provider, ...elsewhere, LEGACY_ORIGIN: 'https://auth.example:8443' }, []],
    [{ ...provider, ...elsewhere, LEGACY_ORIGIN: 'nowhere' }, ['LEGACY_ORIGIN']],
  ]
  for (const [environment, expected] of rows) {
    let faults: string[] = []
    try {
      readConfig(environment)
    } catch (error) {
      faults = (error as ConfigError).faults
    }
    t.same(
      faults.map((one) => one.split(' ')[0]),
      expected,
      JSON.stringify(environment),
    )
  }
})
