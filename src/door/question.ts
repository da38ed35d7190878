import type { Requirement } from '#verify/verify'

/** What a check must find, or for the operator what is wrong with the address that the proxy asks for. */
export type Question = { requirement: Requirement } | { fault: string }

const fault = (words: string): Question => ({ fault: words })

const names = ['interface', 'permission', 'organization', 'workspace'] as const
type Name = (typeof names)[number]

const isName = (text: string): text is Name => (names as readonly string[]).includes(text)
const permissionName = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$/
const id = /^[\x21-\x7e]{1,200}$/

const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** @returns a text that says what is wrong */
const valuesIn = (query: string): Map<Name, string> | string => {
  const values = new Map<Name, string>()
  for (const part of query.split('&')) {
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    const value = at < 0 ? '' : decode(part.slice(at + 1))
    if (!isName(name)) return `there is a parameter that is none of ${names.join(', ')}`
    if (values.has(name)) return `${name} is repeated`
    if (value === null) return `${name} is not percent-encoded`
    // A variable of the proxy that has no value must not remove a check.
    if (value === '') return `${name} is empty`
    values.set(name, value)
  }
  return values
}

/**
 * Reads the query of a check. Every parameter limits who passes, so a parameter that is unknown, repeated or empty is a
 * fault: a check that a mistake has removed would let everyone pass.
 * @param query without the question mark
 */
const readQuestion = (query: string): Question => {
  if (query === '') return fault('interface is missing: current or legacy')
  const values = valuesIn(query)
  if (typeof values === 'string') return fault(values)
  const generation = values.get('interface')
  const permissions = values.get('permission')?.split(' ') ?? []
  const organization = values.get('organization')
  const workspace = values.get('workspace')
  if (generation !== 'current' && generation !== 'legacy')
    return fault('interface must be current or legacy')
  if (!permissions.every((one) => permissionName.test(one)))
    return fault('permission must be names of permissions, separated by one space')
  if (!id.test(organization ?? '-')) return fault('organization must be an id')
  if (!id.test(workspace ?? '-')) return fault('workspace must be an id')
  // A token may reach all workspaces of its organization. Then an id of any organization would pass.
  if (workspace !== undefined && organization === undefined)
    return fault('workspace needs organization: the one that owns it')
  return {
    requirement: {
      interface: generation,
      permissions,
      // The service behind the proxy compares the organization itself.
      organization: organization ?? (({ access }) => access.organizationId),
      ...(workspace !== undefined && { workspace }),
    },
  }
}

const mostRemembered = 1000

/** Remembers questions, because a proxy asks the same few again and again. */
export const createQuestions = (): ((query: string) => Question) => {
  const remembered = new Map<string, Question>()
  return (query) => {
    const known = remembered.get(query)
    if (known) return known
    const question = readQuestion(query)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(query, question)
    return question
  }
}
