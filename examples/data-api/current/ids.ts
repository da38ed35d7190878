/** The parts of an id on the wire: `<workspace_id>|<own_id>`. */
export interface LocalId {
  workspaceId: string
  id: string
}

export const idIn = (workspaceId: string, id: string) => `${workspaceId}|${id}`

/** @returns null for a malformed id; callers treat it like an unknown one */
export const readId = (text: string, prefix: 'tbl' | 'fld' | 'rec'): LocalId | null => {
  const [workspaceId, id, ...rest] = text.split('|')
  if (!workspaceId || !id?.startsWith(prefix) || rest.length > 0) return null
  return { workspaceId, id }
}
