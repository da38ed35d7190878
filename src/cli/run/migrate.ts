import { singleAction } from '../command.ts'
import { print } from '../output.ts'

export const migrate = singleAction('migrate', 'migrate the database schema', {
  summary: 'Migrate the schema of DATABASE_URL or of the embedded Postgres.',
  notes: ['The server does the same at startup. Several migrations may run at once.'],
  run: async (input, terminal) => {
    const { migrateDatabase } = await import('./database.ts')
    const { applied, database } = await migrateDatabase(terminal)
    print(terminal, input, { applied }, () =>
      [...applied.map((name) => `applied ${name}`), `up to date (${database})`].join('\n'),
    )
  },
})
