/** English: the consent page as an app would have it, in the forms that register and change apps. */
import { message } from '../message.ts'

export const preview = {
  heading: 'What people would see',
  hint: 'A preview with an example organization. Nothing on it works, and nothing is saved.',
  mark: 'Preview. Nothing on this page works.',
  submit: 'Show the consent page',
  language: 'Language of the preview',
  width: 'Width of the preview',
  pixels: message('{count, number} pixels', 'count'),
  logoLater:
    'The logo at this address is fetched after you save. Until then, the first letter is shown.',
  app: 'Your app',
  organization: 'Example organization',
  admin: 'Alex Example',
  workspaces: ['Sales', 'Support', 'Archive'],
}
