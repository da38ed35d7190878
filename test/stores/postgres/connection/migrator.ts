/** Another process that migrates a database and prints the applied migrations. */
import { migrate } from '../../../../src/stores/postgres/connection/migrate.ts'

process.stdout.write(JSON.stringify(await migrate(process.argv[2] as string)))
