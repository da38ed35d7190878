import type { UnusedPermissions } from '../../core/organizations/permission-use.ts'
import { permissionSentence, type Reader } from './permission-list.ts'

/** What was not used, a sentence for each period. What is not measured is never called unused. */
export const useSentences = (reader: Reader, unused: UnusedPermissions): string[] => {
  const { use, permissions } = reader.text.organization.review
  const sentences = Object.entries(unused).map(([days, names]) => {
    if (names === null) return use.unmeasured
    if (names.length === 0) return use.used(Number(days))
    return use.idle(Number(days), permissions(names.map((one) => permissionSentence(reader, one))))
  })
  return [...new Set(sentences)]
}
