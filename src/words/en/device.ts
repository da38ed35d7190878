/** English: requests of apps on other devices. */
import { phraseOf } from '../message.ts'

export const device = {
  device: {
    heading: 'Connect a device',
    lead: 'Enter the code that your device or program shows. Then you see which app asks for access.',
    label: 'Code',
    hint: 'Eight letters, such as BCDF-GHJK. The dash does not matter.',
    compare: 'Continue only if your own device shows exactly this code.',
    warningTitle: 'Only continue if you started this yourself',
    warning:
      'If another person sent you this code or link, close this page. Their device would get access as if they were you. We never ask for a code by phone, mail or chat.',
    submit: 'Continue',
    unknown: 'This code is not valid. Check the letters. A code works once, for ten minutes.',
    malformed: 'This is not a device code. It has eight letters, such as BCDF-GHJK.',
    shows: 'This was started on another device. It shows the code:',
    started: phraseOf(
      'Started {minutes, plural, =0 {just now} one {a minute ago} other {# minutes ago}} from {address}{device, select, none {.} other {, by {device}.}}',
      'minutes',
      'address',
      'device',
    ),
    doubt:
      'Only continue if you started this yourself. That device gets the access, not this browser.',
    returns: 'After your answer, continue on your device.',
    approved: {
      heading: 'The device is connected',
      message:
        'Go back to your device. It continues by itself in a few seconds. You can close this page.',
    },
    denied: {
      heading: 'Access denied',
      message: 'The device gets no access. You can close this page.',
    },
    late: {
      heading: 'This code is no longer valid',
      message:
        'The code has expired or was already answered. Start again on your device with a new code.',
    },
  },
}
