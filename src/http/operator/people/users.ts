import type { FastifyReply } from 'fastify'
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
import { causeOf, changeOf } from '../change.ts'
import { etagOf } from '../etag.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
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

const write = (reply: FastifyReply, user: User) => {
  reply.header('etag', etagOf(versionOf(user)))
  return userJson(user)
}

const on = operations({
  tag: 'users',
  area: 'users',
  schema: userSchema,
  one: 'The user.',
  page: 'Users.',
})
const params = api.pathIds('user_id')

const create = on.create('createUser', 'Create a user', {
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
})

const list = on.list('listUsers', 'List users, or find the one with an e-mail address', {
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
})

const read = on.read('readUser', 'Read a user', { params })

const put = on.put('putUser', 'Create or change a user under an id of the platform', {
  checked: 'user_id',
  description:
    'The case of letters counts. Fields that are left out stay as they are, so a repetition changes nothing, and a ' +
    'disabled user stays disabled. A new password ends all sessions and revokes all grants; the present one changes ' +
    'nothing. The id of a client is a conflict.',
  refusals: [409],
  params: Type.Object({ user_id: api.ownId('user') }),
  body: api.closed(ownUserFields),
})

const change = on.change('changeUser', 'Change, disable or enable a user', {
  description:
    'A new password ends all sessions and revokes all grants. While a user is disabled, sessions and tokens ' +
    'are refused, and a grant that is presented is revoked for good.',
  refusals: [404, 409],
  params,
  body: api.changes({
    email,
    name: api.name,
    password,
    email_verified: emailVerified,
    disabled: Type.Boolean(),
    locale,
  }),
})

const remove = on.remove('deleteUser', 'Delete a user with all memberships, consents and grants', {
  params,
})

const removePasskeys = on.act(
  'deleteUserPasskeys',
  'Remove all passkeys of a user who has lost theirs',
  {
    description:
      'Ends the sessions that began with a passkey. Others stay until the password changes.',
    answer: { status: 204, description: 'Removed.' },
    params,
  },
)

const invite = on.act('inviteUser', 'Send a user a link to set a password', {
  description:
    'The link works once, for seven days. Refused (409) for a disabled user, for one with a password, and by a server ' +
    'that sends no mails or accepts no passwords.',
  answer: { status: 204, description: 'The mail is queued.' },
  refusals: [404, 409],
  params,
})

/** Users. */
export const userRoutes = (
  scope: Scope,
  { users, invitations }: { users: Users; invitations: Invitations },
) => {
  scope.post('/users', create, async (request, reply) => {
    const { invite = false, ...user } = fieldsOf(request.body)
    if (invite) invitations.checkOffered()
    const created = await users.create({ ...user, isInvited: invite }, causeOf(request))
    reply.header('location', `${scope.prefix}/users/${created.id}`)
    return write(reply, created)
  })

  scope.post('/users/:user_id/invitation', invite, async (request) => {
    await invitations.invite(request.params.user_id, causeOf(request))
  })

  scope.get('/users', list, async ({ query }) =>
    pageJson(await users.list(readPage(query)), userJson),
  )

  scope.get('/users/:user_id', read, async ({ params }, reply) =>
    write(reply, await users.read(params.user_id)),
  )

  scope.put('/users/:user_id', put, async (request, reply) => {
    const { user_id: id } = request.params
    const wanted = fieldsOf(request.body)
    const { item, created } = await users.put(id, wanted, ...changeOf(request, versionOf))
    if (created) reply.header('location', `${scope.prefix}/users/${id}`)
    return write(reply, item)
  })

  scope.patch('/users/:user_id', change, async (request, reply) => {
    const patch = fieldsOf(request.body)
    const { user_id } = request.params
    return write(reply, await users.change(user_id, patch, ...changeOf(request, versionOf)))
  })

  scope.delete('/users/:user_id/passkeys', removePasskeys, async (request) => {
    await users.removePasskeys(request.params.user_id, causeOf(request))
  })

  scope.delete('/users/:user_id', remove, async (request) => {
    await users.remove(request.params.user_id, ...changeOf(request, versionOf))
  })
}
