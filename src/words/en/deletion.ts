/** English: what goes along with something that is deleted. */
import { message } from '../message.ts'

const organization = message(
  '{members, plural, one {# member} other {# members}}, {workspaces, plural, one {# workspace} other {# workspaces}}, {installs, plural, one {# installed app} other {# installed apps}} and {keySets, plural, one {# key} other {# keys}} go with it.',
  'members',
  'workspaces',
  'installs',
  'keySets',
)
const app = message(
  'It is installed in {organizations, plural, one {# organization} other {# organizations}}, and {people, plural, one {# person has} other {# people have}} allowed it.',
  'organizations',
  'people',
)
const user = message(
  'The person leaves {organizations, plural, one {# organization} other {# organizations}}, and {apps, plural, one {# app} other {# apps}} can no longer act for them. {owned, plural, =0 {} one {# app has no other owner.} other {# apps have no other owner.}}',
  'organizations',
  'apps',
  'owned',
)

export const deletion = {
  organization,
  app,
  user,
  typeName: 'Type the name above to confirm',
  otherName: 'This is not the name. Type it as it stands above.',
}
