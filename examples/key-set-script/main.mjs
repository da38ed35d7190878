// A script of an organization: it signs its token itself, with a key set that an admin created.
import { SignJWT } from 'jose'
import { readTasks } from '../tasks.mjs'

const { LATCHKEY_CLIENT_ID, LATCHKEY_CLIENT_SECRET, DATA_API } = process.env

// The secret's own bytes are the key. Without `permissions` the token can only read, and without
// `workspace_ids` it reaches every workspace of the key set.
const token = await new SignJWT()
  .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
  .setIssuer(LATCHKEY_CLIENT_ID)
  .setIssuedAt()
  .setExpirationTime('5m')
  .sign(new TextEncoder().encode(LATCHKEY_CLIENT_SECRET))

for (const row of await readTasks(DATA_API, token)) console.log(row.join('\t'))
