/** English: when an app on another device asks. */
import { phrase } from './phrase.ts'

export const device = {
  device: {
    heading: 'Connect a device',
    lead: 'A device or a program elsewhere shows you a code. Enter it here to see who asks, and for what.',
    label: 'Code',
    hint: 'Eight letters, such as BCDF-GHJK. The dash does not matter.',
    compare: 'Go on only if your own device shows exactly this code.',
    warningTitle: 'Did somebody send you this code or this link?',
    warning:
      'Then close this page. Whoever holds the device gets what you allow, as if they were you. We never ask for a code by phone, mail or chat.',
    submit: 'Continue',
    unknown:
      'No device waits with this code. Check the letters; a code is good for ten minutes and once.',
    malformed: 'This is not a code of a device: it has eight letters, such as BCDF-GHJK.',
    asks: (code: string) =>
      phrase`This was started on another device, which shows the code ${code}. What you allow goes there, not to this browser.`,
    doubt: 'If that device is not in front of you, or somebody gave you the code, deny.',
    returns: 'You go on at your device once you have answered.',
    approved: {
      heading: 'The device is connected',
      message:
        'Go back to your device: it goes on by itself in a few seconds. You can close this page.',
    },
    denied: {
      heading: 'Nothing was allowed',
      message: 'The device hears that you said no. You can close this page.',
    },
    late: {
      heading: 'That was too late',
      message:
        'The code has expired or was answered already. Start again on your device, with a new code.',
    },
  },
}
