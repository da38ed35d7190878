import { type Static, Type } from 'typebox'
import { everything } from '../../../core/credentials/operator-permissions.ts'
import { portableTypedPattern, typedPattern } from '../../../core/language/display-text.ts'
import { languages } from '../../../core/language/languages.ts'
import type { Invitations } from '../../../core/notifications/invitations.ts'
import {
  emailPattern,
  longestEmail,
  typedEmailPattern,
} from '../../../core/people/email-address.ts'
import { longestPassword, shortestPassword } from '../../../core/people/password-rules.ts'
import type { User } from '../../../core/people/user.ts'
import type { Users } from '../../../core/people/users.ts'
import { etagOf } from '../etag.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

const email = Type.String({
  maxLength: longestEmail,
  pattern: typedEmailPattern,
  'x-pattern': emailPattern,
  'x-reason': 'email',
  description:
    'Stored in lower case, with the IDN form of its domain (A-labels); unique. Only ASCII letters before the @.',
})

const emailVerified = Type.Boolean({
  description:
    'True when the address is known to belong to the user. A new address resets it to false.',
})

const password = Type.String({
  minLength: shortestPassword,
  maxLength: longestPassword,
  'x-reason': 'password_length',
  pattern: typedPattern,
  'x-pattern': portableTypedPattern,
  description: 'Must not be the address or name of the user or a very common password.',
})

const locale = api.oneOfOrNull(languages, {
  description:
    'The language of pages and mails. null: the user has chosen none, so the browser decides.',
})

export const hasSignedIn = Type.Boolean({
  description:
    'False: nobody has signed in with this account yet. Verify the address before you give it rights.',
})

export const userSchema = api.component('User', 'A user who can sign in.', {
  id: api.id,
  email: Type.String(),
  name: Type.String(),
  email_verified: Type.Boolean({
    description:
      'True when the address is known to belong to the user. Apps with the scope `email` see it.',
  }),
  disabled: Type.Boolean(),
  has_signed_in: hasSignedIn,
  locale,
  created_at: api.timestamp,
})
export type UserJson = Static<typeof userSchema>

const userJson = jsonOf(userSchema)

/** The fields of a user under an id of the platform. */
export const ownUserFields = {
  email,
  name: api.name,
  ...api.optional({ password, email_verified: emailVerified, disabled: Type.Boolean(), locale }),
}

/** A new password is a new version, although it cannot be read. */
const versionOf = (user: User) => ({ ...userJson(user), password: user.passwordVersion })

export const userRoutes = (
  scope: Scope,
  { users, invitations }: { users: Users; invitations: Invitations },
) => {
  const on = operations(scope, {
    area: 'users',
    schema: userSchema,
    one: 'The user.',
    page: 'Users.',
    json: userJson,
    version: versionOf,
    location: ({ id }) => `/users/${id}`,
  })
  const path = '/users/:user_id'

  on.create('/users', 'createUser', 'Create a user', {
    limited: 'checked',
    description:
      'A token that is limited to organizations may then add the user to these. It sets no password and confirms no address.',
    refusals: [409],
    body: api.closed({
      email,
      name: api.name,
      ...api.optional({
        password,
        email_verified: emailVerified,
        invite: Type.Boolean({
          description:
            'Sends a mail with a link to set a password. Not together with `password`; a server without mails refuses it (409).',
        }),
        locale,
      }),
    }),
    run: async ({ body: { invite: isInvited = false, ...user }, reply }, cause) => {
      if (isInvited) invitations.checkOffered()
      const created = await users.create({ ...user, isInvited }, cause)
      reply.header('etag', etagOf(versionOf(created)))
      return userJson(created)
    },
  })

  on.act(`${path}/invitation`, 'inviteUser', 'Send a user a link to set a password', {
    description:
      'The link works once, for seven days. Refused (409) for a disabled user, for one with a password, and by a server ' +
      'that sends no mails or accepts no passwords.',
    answer: { status: 204, description: 'The mail is queued.' },
    refusals: [404, 409],
    run: ({ params }, cause) => invitations.invite(params.userId, cause),
  })

  on.list('/users', 'listUsers', 'List users, or find the one with an e-mail address', {
    rights: {
      operator: everything,
      organization_id: 'organizations:read',
    },
    querystring: listQuery(['name', 'email'], {
      ...{ email, organization_id: api.id },
      disabled: Type.Boolean(),
      has_signed_in: Type.Boolean(),
      operator: Type.Boolean({ description: 'Whether the user has rights as an operator.' }),
    }),
    run: (_call, page) => users.list(page),
  })

  on.read(path, 'readUser', 'Read a user', { run: ({ params }) => users.read(params.userId) })

  on.put(path, 'putUser', 'Create or change a user under an id of the platform', {
    checked: 'user_id',
    description:
      'The case of letters counts. Fields that are left out stay as they are, so a repetition changes nothing, and a ' +
      'disabled user stays disabled. A new password ends all sessions and revokes all grants; the present one changes ' +
      'nothing. The id of a client is a conflict.',
    refusals: [409],
    params: Type.Object({ user_id: api.ownId('user') }),
    body: api.closed(ownUserFields),
    run: async ({ params, body }, ...context) =>
      (await users.put(params.userId, body, ...context)).item,
  })

  on.change(path, 'changeUser', 'Change, disable or enable a user', {
    description:
      'A new password ends all sessions and revokes all grants. While a user is disabled, sessions and tokens ' +
      'are refused, and a grant that is presented is revoked for good.',
    refusals: [404, 409],
    body: api.changes(ownUserFields),
    run: ({ params, body }, ...context) => users.change(params.userId, body, ...context),
  })

  on.act(
    `${path}/passkeys`,
    'deleteUserPasskeys',
    'Remove all passkeys of a user who has lost theirs',
    {
      method: 'DELETE',
      description:
        'Ends the sessions that began with a passkey. Others stay until the password changes.',
      answer: { status: 204, description: 'Removed.' },
      run: ({ params }, cause) => users.removePasskeys(params.userId, cause),
    },
  )

  on.remove(path, 'deleteUser', 'Delete a user with all memberships, consents and grants', {
    run: ({ params }, ...context) => users.remove(params.userId, ...context),
  })
}
