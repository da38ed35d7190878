/** English: forms of all pages, and the values that they show. */

export const form = {
  cancel: 'Cancel',
  showAll: 'Show all',
  optional: 'optional',
  moreFields: 'More settings',
  never: 'never',
  none: 'none',
  yes: 'yes',
  no: 'no',
  logo: {
    present: 'The chosen logo',
    uploaded: 'An uploaded image',
    remove: 'Remove this logo',
    faults: {
      svg: 'The image is an SVG. Choose a PNG, JPEG or WebP.',
      image:
        'This image cannot be used: it is no PNG, JPEG or WebP, it is damaged, or it has more than 2048 × 2048 pixels.',
      too_large: 'This image is larger than 1 MiB. Choose a smaller one.',
      busy: 'Another image is being read. Try again in a moment.',
      unsupported: 'This server cannot read images. Give the address of the logo instead.',
    },
  },
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
