import { singleAction } from '../command.ts'
import { columnsOf, printOne } from '../output.ts'

const columns = columnsOf<Record<'grants' | 'sessions' | 'operator_tokens', number>>(
  ['grants', 'grants ended'],
  ['sessions', 'sessions ended'],
  ['operator_tokens', 'operator tokens ended'],
)

export const afterRestore = singleAction(
  'after-restore',
  'end what must not become valid again after Postgres was restored',
  {
    summary: 'End all grants, sessions and operator tokens after Postgres was restored.',
    notes: [
      'Run it while no instance runs, after the database was restored to an earlier point: otherwise, all that was',
      'revoked since then is valid again. It migrates the schema first. Users sign in again, apps ask their users again,',
      'and operator tokens of the command line must be created again. See docs/deploying.md.',
    ],
    run: async (input, terminal) => {
      const { endAfterRestore } = await import('./database.ts')
      const { grants, sessions, operatorTokens } = await endAfterRestore(terminal)
      printOne(terminal, input, columns, { grants, sessions, operator_tokens: operatorTokens })
    },
  },
)
