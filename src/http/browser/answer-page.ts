/** Text of the page that returns an answer to the app. Both interfaces send it. Its language follows the page. */
export interface AnswerPageText {
  language: { code: string; direction: string }
  backToApp: { heading: string; lead: string; submit: string; close: string }
}
