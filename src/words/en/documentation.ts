/** English: labels around the documentation. Its text is in `docs`. */
export const documentation = {
  documentation: {
    name: 'Documentation',
    pages: 'All pages',
    contents: 'On this page',
    around: 'Pages before and after',
    previous: 'Previous',
    next: 'Next',
    language: 'Language of the example',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Select it and copy it yourself',
    linkTo: (heading: string) => `Link to “${heading}”`,
    table: (heading: string) => `Table: ${heading}`,
  },
}
