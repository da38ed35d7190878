/** What a page says that only brings an answer to its app. Both interfaces send one; the languages are the pages' own. */
export interface AnswerPageText {
  language: { code: string; direction: string }
  backToApp: { heading: string; lead: string; submit: string; close: string }
}
