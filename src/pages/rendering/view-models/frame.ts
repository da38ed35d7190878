/**
 * Data that templates share, finished, so that a view needs at most a loop and a condition. The texts are in `en`. What
 * a template has of its own is the object with which its page calls it; test/pages/templates.test.ts compares the two.
 */

import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'

/** A point in time: `iso` for machines, `words` for people. */
export type Moment = {
  iso: string
  /** In UTC. */
  words: string
  /** The format of the words in `formats`, for the script that writes them in the reader's zone; `ago`: they are relative. */
  form: 'day' | 'time' | 'moment' | 'second' | 'ago'
  /** The same to the minute, where the words do not have it. */
  title: string | null
}

export type Brand = {
  name: string
  logoUri: string | null
  accent: string | null
  /** Links of the footer. */
  links: { support: string | null; privacy: string | null; terms: string | null }
}
export type OrganizationName = { id: string; name: string }

/** Data of every page. `csrf` fills the hidden field `_csrf` of each form. */
export type PageFrame = {
  text: Text
  brand: Brand
  /** The stylesheet of the accent: that of the organization that the page is about, or that of the server. */
  accent: string | null
  /** The logo of the organization that the page is about. */
  ownLogo: string | null
  title: string
  csrf: string
  /** The form that changes the language; null on pages without forms. */
  languages: {
    choices: { code: string; name: string; isChosen: boolean }[]
    returnTo: string
  } | null
  user: { name: string; email: string } | null
  /** Unread security notices; null when there are none. */
  told: { sentences: Phrase[]; through: string; returnTo: string } | null
  requestId: string
  /** A frame of another page shows it, and nothing on it works; absent: it does. */
  isPreview?: boolean
}

/** The search in the header. `action`: the page that shows what is found. */
export type SearchField = { action: string; value: string }

/** A page of the documentation. The build creates `html`. */
export type DocumentPage = { title: string; html: string }

/** `undo`: the name under which it can be undone for a moment, and the page that says so. */
export type Notice = {
  words: string | Phrase
  tone: 'good' | 'bad' | 'plain'
  links?: { label: string; href: string }[]
  undo?: { name: string; returnTo: string } | null
}

export type Choice = { value: string; label: string; isChosen: boolean }

export type FilterField = {
  id: string
  name: string
  label: string
  type: 'select' | 'text' | 'date'
  value: string
  /** Of `select`. */
  choices: Choice[]
  /** What is wrong with the value. */
  fault: string | null
  /** The page that shows what the text finds, with a query; null: it is not searched. */
  pick: string | null
  /** The name of the value. */
  note: string | null
}

/** A heading that sorts a list. `direction`: in which the list is sorted by it now. */
export type SortLink = { href: string; direction: 'ascending' | 'descending' | null }

/** Links to other pages of a long list; null where there is none. */
export type ListLinks = { startUrl: string | null; nextUrl: string | null }
