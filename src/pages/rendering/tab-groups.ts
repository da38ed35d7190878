// The tabs of an audience in groups: the one of the page is open, and each other one is a single link.

/** `count`: what waits there, in words; null: nothing. */
export type PageTab = { label: string; href: string; isCurrent: boolean; count: string | null }

/** A group of tabs. `tabs`: empty when it is closed. `name`: null when there is no other group. */
export type TabGroup = {
  name: string | null
  href: string
  /** What waits in it, in words; null: nothing. */
  count: string | null
  tabs: PageTab[]
}

/** Opens the group of the current tab. Groups without tabs are left out. */
export const tabGroups = (
  groups: readonly { name: string; tabs: readonly PageTab[] }[],
): TabGroup[] =>
  groups.flatMap(({ name, tabs }) => {
    const [first] = tabs
    if (!first) return []
    const isOpen = tabs.some(({ isCurrent }) => isCurrent)
    const count = tabs.find((one) => one.count !== null)?.count ?? null
    return [{ name, href: first.href, count, tabs: isOpen ? [...tabs] : [] }]
  })

/** Tabs that need no groups. */
export const oneGroup = (tabs: readonly Omit<PageTab, 'count'>[]): TabGroup[] => [
  { name: null, href: '', count: null, tabs: tabs.map((one) => ({ ...one, count: null })) },
]
