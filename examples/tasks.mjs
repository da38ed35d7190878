// Requests of the examples to the data API, with any kind of token.

/** Sends one operation. @throws Error with the status of the response if it was refused */
export const ask = async (dataApi, token, query, variables) => {
  const response = await fetch(dataApi, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { status, ok, statusText } = response
  const { data, errors } = await response.json().catch(() => ({}))
  if (errors || !ok) throw Object.assign(new Error(errors?.[0].message ?? statusText), { status })
  return data
}

const tablesIn = 'query ($id: ID!) { tables(workspaceId: $id) { id name fields { id name } } }'

/** The table of tasks in a workspace, with its fields. */
export const taskTable = async (dataApi, token, workspaceId) => {
  const { tables } = await ask(dataApi, token, tablesIn, { id: workspaceId })
  return tables.find(({ name }) => name === 'Tasks')
}

const recordsIn = `query ($id: ID!) {
  recordsConnection(tableId: $id) { edges { node { fields { stringValue } } } }
}`

/**
 * The tasks in every workspace that the token reaches: rows of text, starting with the workspace's
 * name.
 */
export const readTasks = async (dataApi, token) => {
  const { workspaces } = await ask(dataApi, token, '{ workspaces { id name } }')
  const rows = workspaces.map(async ({ id, name }) => {
    const table = await taskTable(dataApi, token, id)
    const { recordsConnection } = await ask(dataApi, token, recordsIn, { id: table.id })
    return recordsConnection.edges.map(({ node }) => [
      name,
      ...node.fields.map(({ stringValue }) => stringValue ?? ''),
    ])
  })
  return (await Promise.all(rows)).flat()
}
