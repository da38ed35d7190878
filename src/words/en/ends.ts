/** English: when something ends by itself. */
import { message } from '../message.ts'

export const ends = {
  label: 'When it ends',
  never: 'No end date',
  after: message(
    '{days, plural, =365 {After a year} one {After # day} other {After # days}}',
    'days',
  ),
  onDay: 'On a day',
  lastDay: 'Last day (UTC)',
  dayFault: 'Choose today or a later day, at most ten years from now.',
}
