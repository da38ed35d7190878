import { readConfig } from '../config/config.ts'
import type { Command } from './command.ts'
import { withDatabase } from './database.ts'
import { print } from './output.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'bring the database schema up to date',
  actions: [
    {
      name: '',
      summary: 'Bring the schema of DATABASE_URL, or of the embedded Postgres, up to date.',
      notes: ['The server does the same at its start; several at once are fine.'],
      run: async (input, terminal) => {
        const config = readConfig(terminal.env)
        const applied = await withDatabase(config, async (_database, names) => names)
        const where =
          config.databaseUrl === null ? `embedded, ${config.dataDirectory}` : 'DATABASE_URL'
        print(terminal, input, { applied }, () =>
          [...applied.map((name) => `applied ${name}`), `up to date (${where})`].join('\n'),
        )
      },
    },
  ],
}
