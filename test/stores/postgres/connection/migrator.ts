/** Another process that brings a database up to date, and says what it has applied. */
import { migrate } from '../../../../src/stores/postgres/connection/migrate.ts'

process.stdout.write(JSON.stringify(await migrate(process.argv[2] as string)))
