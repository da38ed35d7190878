// The tabs of an audience in groups: the one of the page is open, and each other one is a single link.
import type { Text } from '../../words/text.ts'

const groups = ['daily', 'setup', 'check'] as const
export type Group = (typeof groups)[number]

/** `count`: what waits there, in words; null: nothing. */
export type PageTab = { label: string; href: string; isCurrent: boolean; count: string | null }

/** A group of tabs: none when it is closed. `name`: null when there is no other group. */
export type TabGroup = Pick<PageTab, 'href' | 'count'> & { name: string | null; tabs: PageTab[] }

/** Opens the group of the current tab. Groups without tabs are left out. */
export const tabGroups = (text: Text, all: readonly (PageTab & { group: Group })[]): TabGroup[] =>
  groups.flatMap((group) => {
    const tabs = all.filter((one) => one.group === group)
    const [first] = tabs
    if (!first) return []
    const isOpen = tabs.some(({ isCurrent }) => isCurrent)
    const count = tabs.find((one) => one.count !== null)?.count ?? null
    return [{ name: text.layout.groups[group], href: first.href, count, tabs: isOpen ? tabs : [] }]
  })

/** Tabs that need no groups. */
export const oneGroup = (tabs: readonly Omit<PageTab, 'count'>[]): TabGroup[] => [
  { name: null, href: '', count: null, tabs: tabs.map((one) => ({ ...one, count: null })) },
]
