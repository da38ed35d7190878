import { organizations, type PersonKey, people } from './cast.ts'

/** Organizations, members and workspaces for the data API. A real platform would know these itself. */
export interface Platform {
  organizations: {
    id: string
    name: string
    members: { userId: string; name: string; email: string; role: string }[]
    workspaces: { id: string; name: string; memberIds: string[] }[]
  }[]
}

interface Row {
  id: string
  name: string
}

/** @param tenants organizations with their workspaces, in the order of the cast */
export const platformOf = (
  tenants: Record<keyof typeof organizations, Row & { workspaces: Row[] }>,
  persons: Record<PersonKey, Row>,
): Platform => ({
  organizations: Object.entries(organizations).map(([key, { members, workspaces }]) => {
    const { id, name, workspaces: made } = tenants[key as keyof typeof organizations]
    return {
      id,
      name,
      members: (Object.entries(members) as [PersonKey, string][]).map(([who, role]) => ({
        userId: persons[who].id,
        name: people[who].name,
        email: people[who].email,
        role,
      })),
      workspaces: made.map((workspace, at) => ({
        id: workspace.id,
        name: workspace.name,
        memberIds: (workspaces[at]?.members ?? []).map((who) => persons[who].id),
      })),
    }
  }),
})
