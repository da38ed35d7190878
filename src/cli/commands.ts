import { apply, exportFolder } from './as-code/apply.ts'
import type { Command } from './command.ts'
import { conform } from './conform/conform.ts'
import { doctor } from './doctor/doctor.ts'
import { app } from './resources/app.ts'
import { auditStream } from './resources/audit-stream.ts'
import { identityProvider } from './resources/identity-provider.ts'
import { imports } from './resources/import.ts'
import { install } from './resources/install.ts'
import { keySet } from './resources/key-set.ts'
import { operator } from './resources/operator.ts'
import { operatorToken } from './resources/operator-token.ts'
import { org } from './resources/org.ts'
import { permission } from './resources/permission.ts'
import { audit, search, usage } from './resources/reports.ts'
import { resourceServer } from './resources/resource-server.ts'
import { scimToken } from './resources/scim-token.ts'
import { user } from './resources/user.ts'
import { webhook } from './resources/webhook.ts'
import { workspace } from './resources/workspace.ts'
import { afterRestore } from './run/after-restore.ts'
import { door } from './run/door.ts'
import { keys } from './run/keys.ts'
import { migrate } from './run/migrate.ts'
import { serve } from './run/serve.ts'
import { testServer } from './run/test-server.ts'
import { takeover } from './takeover/takeover.ts'
import { token } from './token/token.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  testServer,
  migrate,
  afterRestore,
  door,
  doctor,
  conform,
  app,
  install,
  keySet,
  org,
  workspace,
  user,
  imports,
  apply,
  exportFolder,
  takeover,
  permission,
  resourceServer,
  webhook,
  auditStream,
  keys,
  operator,
  operatorToken,
  scimToken,
  identityProvider,
  token,
  search,
  audit,
  usage,
]
