/** `latchkey conform` against a data API that forgets one check after the other. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { holes, startHoledDataApi } from '../support/holed-data-api.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startTestServer } from '../support/test-server.ts'
import { latchkey } from './latchkey-command.ts'
