import { app } from './app.ts'
import { audit } from './audit.ts'
import type { Command } from './command.ts'
import { door } from './door.ts'
import { identityProvider } from './identity-provider.ts'
import { importFile } from './import.ts'
import { install } from './install.ts'
import { keySet } from './key-set.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { operator } from './operator.ts'
import { operatorToken } from './operator-token.ts'
import { org } from './org.ts'
import { permission } from './permission.ts'
import { resourceServer } from './resource-server.ts'
import { scimToken } from './scim-token.ts'
import { serve } from './serve.ts'
import { token } from './token.ts'
import { usage } from './usage.ts'
import { user } from './user.ts'
import { webhook } from './webhook.ts'
import { workspace } from './workspace.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  door,
  app,
  install,
  keySet,
  org,
  workspace,
  user,
  importFile,
  permission,
  resourceServer,
  webhook,
  keys,
  operator,
  operatorToken,
  scimToken,
  identityProvider,
  token,
  audit,
  usage,
]
