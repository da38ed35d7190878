import { readConfig } from '../config/config.ts'
import type { Command } from './command.ts'
import { withDatabase } from './database.ts'
import { print } from './output.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'migrate the database schema',
  actions: [
    {
      name: '',
      summary: 'Migrate the schema of DATABASE_URL or of the embedded Postgres.',
      notes: ['The server does the same at startup. Several migrations may run at once.'],
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
