import type { Text } from '../../words/text.ts'
import type { PermissionGroup } from './permission-list.ts'

const fewLines = 10

/** The groups under one state heading, "New" or "Already approved"; all groups when there is none. */
const statesOf = (groups: readonly PermissionGroup[]): PermissionGroup[][] => {
  const starts = groups.flatMap((group, at) => (at === 0 || group.state !== null ? [at] : []))
  return starts.map((start, at) => groups.slice(start, starts[at + 1]))
}

/** Sensitive lines first, then the other groups; the lines of every approval last. */
const ordered = (text: Text, groups: PermissionGroup[]): PermissionGroup[] => {
  const lines = groups.flatMap((group) => group.lines)
  const isFew = lines.length <= fewLines
  const state = groups[0]?.state ?? null
  const fixed = lines.filter((line) => line.permission === null)
  const marked = lines.filter((line) => line.permission !== null && line.mark !== undefined)
  const plain = groups.map((group) => ({
    ...group,
    lines: group.lines.filter((line) => line.permission !== null && line.mark === undefined),
  }))
  const { sensitive, groups: headings } = text.permissionList
  const parts: PermissionGroup[] = [
    { id: 'sensitive', heading: sensitive, state: null, lines: marked },
    ...plain,
    { id: 'always', heading: headings.always, state: null, lines: fixed },
  ]
  return parts
    .filter((group) => group.lines.length > 0)
    .map((group, index) => ({
      ...group,
      heading: isFew ? null : group.heading,
      state: index === 0 ? state : null,
    }))
}

/** The order of a decision page. A short list has no headings. */
export const forDecision = (text: Text, groups: readonly PermissionGroup[]): PermissionGroup[] =>
  statesOf(groups).flatMap((part) => ordered(text, part))
