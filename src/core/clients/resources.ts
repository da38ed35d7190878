// Lists of resources (RFC 8707). Registrations, grants and tokens keep the text that was sent; here it is compared.
import { isSameResource, resourceForm } from '#verify/rules/resource-form'

/** Is it one of these, however it is written? */
export const hasResource = (resources: readonly string[], uri: string): boolean =>
  resources.some((one) => isSameResource(one, uri))

export const coversResources = (known: readonly string[], requested: readonly string[]): boolean =>
  requested.every((one) => hasResource(known, one))

/** Each resource once, as it is written first. */
export const distinctResources = (resources: readonly string[]): string[] =>
  resources.filter((uri, at) => !hasResource(resources.slice(0, at), uri))

/** Each as written and in the form of comparison, for lists that a store compares as text. */
export const comparableResources = (resources: readonly string[]): string[] => [
  ...new Set(resources.flatMap((uri) => [uri, resourceForm(uri)])),
]

/** The part that equal resources share in small letters: scheme and host, or all of it. */
const stemOf = (uri: string) => {
  const form = resourceForm(uri).toLowerCase()
  return /^[^:]+:\/\/[^/]*?(?=(?::\d+)?\/)/.exec(form)?.[0] ?? form
}

/** By these, a store finds all registrations that may have one of the resources. It cannot compare them itself. */
export const stemsOf = (resources: readonly string[]): string[] => resources.map(stemOf)

/** The store reads the resources of others that have one of the stems. */
export interface ResourceRivals {
  stems: readonly string[]
  areTaken(others: readonly string[]): boolean
}

export const rivalsOf = (resources: readonly string[]): ResourceRivals => ({
  stems: stemsOf(resources),
  areTaken: (others) => resources.some((uri) => hasResource(others, uri)),
})
