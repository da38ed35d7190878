// The buttons of a form beside the main one.
import type { Block } from '../view-models/blocks.ts'
import { type Body, type Field, fieldOf, type Submitted } from './form-field.ts'

/** Shows what a form would make, and decides nothing. */
export interface FormPreview {
  submit: string
  /** How it is shown. They are no fields of the body. */
  choices: readonly Field[]
  show(body: Body): Promise<Block>
}

export interface FurtherAnswers {
  /** Another answer, in words of its own. */
  other?: { submit: string; decision: string; isDanger?: boolean }
  /** A button that shows what the typed values would make. */
  preview?: FormPreview
}

/** The `decision` of the button of a preview. */
export const previewing = 'preview'

export const answersOf = ({ other, preview }: FurtherAnswers, submitted: Submitted | null) => ({
  other: other
    ? { words: other.submit, decision: other.decision, isDanger: other.isDanger ?? false }
    : null,
  preview: preview
    ? {
        choices: preview.choices.map((one) => fieldOf(one, submitted)),
        answer: { words: preview.submit, decision: previewing, isDanger: false },
      }
    : null,
})
