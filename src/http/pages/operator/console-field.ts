import type { FormField } from '../rendering/operator-view-models.ts'

/** A field of a form of the console. */
export interface Field {
  name: string
  kind: FormField['kind']
  label: string
  hint?: string | null
  /** The present values; none by default. */
  values?: readonly string[]
  /** `isWords`: a label that people read, among names in code. */
  options?: { value: string; label: string; hint?: string | null; isWords?: true }[]
  isRequired?: boolean
  isCode?: boolean
  /** What an empty field means; absent: the field is left out of the body. */
  whenEmpty?: null | ''
  /** What is wrong with it when the API refuses it, or how to say that with the detail of the API. */
  fault?: string | ((detail: string) => string)
  /** Not a field of the body; `send` reads it. */
  isOutside?: boolean
}
