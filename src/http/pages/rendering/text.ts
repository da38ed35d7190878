/** The texts of the pages. Each language is a folder with the shape of `en`. */
import { english } from '../en/english.ts'

export const text = english

export type Text = typeof english
