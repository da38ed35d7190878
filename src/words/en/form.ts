/** English: forms of all pages, and the values that they show. */

export const form = {
  cancel: 'Cancel',
  showAll: 'Show all',
  optional: 'optional',
  never: 'never',
  none: 'none',
  yes: 'yes',
  no: 'no',
  changedMeanwhile:
    'Another person has changed this since you opened the page, so nothing is saved. Look at what is there now, and decide again.',
  conflict: {
    heading: 'What differs',
    setting: 'Setting',
    now: 'Stored now',
    yours: 'What you have entered',
    same: 'What you have entered is stored already.',
    submit: 'Replace what is stored',
  },
}
