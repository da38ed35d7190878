import { isDeepStrictEqual } from 'node:util'
import type { UnusedPermissions } from '../../core/organizations/permission-use.ts'
import { permissionSentence, type Reader } from './permission-list.ts'

/**
 * What was not used, a sentence for each period in which it differs. What is not measured is never called unused.
 */
export const useSentences = (reader: Reader, unused: UnusedPermissions): string[] => {
  const { use, permissions } = reader.text.organization.review
  const periods = Object.entries(unused)
  return periods
    .filter(([, names], at) => !isDeepStrictEqual(names, periods[at - 1]?.[1]))
    .map(([days, names]) => {
      if (names === null) return use.unmeasured
      if (names.length === 0) return use.used(Number(days))
      const sentences = names.map((one) => permissionSentence(reader, one))
      return use.idle(Number(days), permissions(sentences))
    })
}
