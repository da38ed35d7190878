// The field in which a maker or an operator uploads the logo of an app.
import type { LogoUploads, UploadFault } from '../../../core/logos/logo-uploads.ts'
import { removalOf } from '../forms/form-field.ts'
import { type FormVisit, fieldRefusal, type Refusal } from '../forms/form-page.ts'
import { fileIn, putField } from '../forms/uploads.ts'

const name = 'uploaded_logo'

const statuses: Partial<Record<UploadFault, number>> = { too_large: 413, busy: 429 }

/**
 * Stores the image of a form, whose field has the digest from then on. So the image stays chosen when the form is shown
 * again.
 * @param by id of the user
 */
export const receiveLogo =
  (uploads: LogoUploads, { request, text }: FormVisit, by: string) =>
  async (): Promise<Refusal | null> => {
    const file = fileIn(request, `${name}_file`)
    if (file === null) return null
    request.releaseSlot?.()
    const kept = file === 'too_large' ? { fault: file } : await uploads.add(by, file)
    if ('fault' in kept)
      return fieldRefusal(name, text.form.logo.faults[kept.fault], statuses[kept.fault])
    putField(request, name, kept.digest)
    putField(request, removalOf({ name }), '')
    return null
  }
