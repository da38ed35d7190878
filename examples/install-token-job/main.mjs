// A cron job that acts as the app itself, without a user, in an organization that has installed it.
// Exit code: 0 done, 75 try again later (EX_TEMPFAIL), 1 an operator must look.
import * as client from 'openid-client'
import { ask, taskTable } from '../tasks.mjs'

const { LATCHKEY_CLIENT_ID: id, LATCHKEY_CLIENT_SECRET: secret, DATA_API } = process.env
const { LATCHKEY_ISSUER, ORGANIZATION_ID, WORKSPACE_ID } = process.env

/**
 * For this run and workspace only, whatever else the app may do. There is no refresh token: the job
 * asks again.
 */
const installToken = async () => {
  const issuer = new URL(LATCHKEY_ISSUER)
  // Plain http is for a server on this machine.
  const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
  const latchkey = await client.discovery(issuer, id, secret, undefined, { execute })
  const { access_token } = await client.clientCredentialsGrant(latchkey, {
    organization_id: ORGANIZATION_ID,
    workspace_ids: WORKSPACE_ID,
    scope: 'records:create',
  })
  return access_token
}

const createRecord = `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
  createRecord(tableId: $table, fields: $fields) { id }
}`

const addTask = async (token, title) => {
  const table = await taskTable(DATA_API, token, WORKSPACE_ID)
  const { id: fieldId } = table.fields.find(({ name }) => name === 'Title')
  const fields = [{ fieldId, value: { val: title } }]
  return ask(DATA_API, token, createRecord, { table: table.id, fields })
}

/** Temporary failures: no response, rate limits, or an unavailable store. */
const isTemporary = ({ code, message, status, cause }) =>
  message === 'fetch failed' ||
  code === 'OAUTH_TIMEOUT' ||
  [429, 502, 503, 504].includes(status ?? cause?.status)

try {
  await addTask(await installToken(), 'Weekly review')
  console.log('The task is there.')
} catch (error) {
  console.error(error.error_description ?? error.message)
  process.exitCode = isTemporary(error) ? 75 : 1
}
