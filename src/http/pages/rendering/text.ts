/** The words of the pages. A language is a folder; another one has the shape of `en`. */
import { english } from '../en/english.ts'

export type { PermissionText } from '../en/permissions.ts'

export const text = english

export type Text = typeof english
