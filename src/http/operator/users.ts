import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { portableTypedPattern, typedPattern } from '../../core/language/display-text.ts'
import { type Language, languages } from '../../core/language/languages.ts'
import type { Invitations } from '../../core/notifications/invitations.ts'
import { emailPattern, longestEmail } from '../../core/people/email-address.ts'
import { longestPassword, shortestPassword } from '../../core/people/password-rules.ts'
import type { User } from '../../core/people/user.ts'
import type { Users } from '../../core/people/users.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageParameters, readPage } from './paging.ts'
import { changes, closed, id, name, ownId, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const email = Type.String({
  maxLength: longestEmail,
  pattern: emailPattern,
  'x-reason': 'email',
  description: 'Stored in lower case; unique.',
})

export const emailVerified = Type.Boolean({
  description:
    'True when the address is known to belong to the user. A new address resets it to false.',
})

export const password = Type.String({
  minLength: shortestPassword,
  maxLength: longestPassword,
  'x-reason': 'password_length',
  pattern: typedPattern,
  'x-pattern': portableTypedPattern,
  description: 'Must not be the address or name of the user or a very common password.',
})

export const locale = Type.Unsafe<Language | null>({
  type: ['string', 'null'],
  enum: [...languages, null],
  description:
    'The language of pages and mails. null: the user has chosen none, so the browser decides.',
})

export const hasSignedIn = Type.Boolean({
  description:
    'False: nobody has signed in with this account yet. Verify the address before you give it rights.',
})

export const userSchema = Type.Object(
  {
    id,
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean({
      description:
        'True when the address is known to belong to the user. Apps with the scope `email` see it.',
    }),
    disabled: Type.Boolean(),
    has_signed_in: hasSignedIn,
    locale,
    created_at: timestamp,
  },
  { $id: 'User', description: 'A user who can sign in.' },
)
export type UserJson = Static<typeof userSchema>

const userJson = jsonOf(userSchema)

/** A new password is a new version, although it cannot be read. */
const tagOf = (user: User) => etagOf({ ...userJson(user), password: user.passwordVersion })

const write = (reply: FastifyReply, user: User) => {
  reply.header('etag', tagOf(user))
  return userJson(user)
}

const tag = 'users'
const params = pathIds('user_id')
const user = reference('User')

const create = operation(
  {
    id: 'createUser',
    tag,
    permission: 'users:write',
    limited: 'checked',
    summary: 'Create a user',
    description:
      'A token that is limited to organizations may then add the user to these. It sets no password and confirms no address.',
    answer: { status: 201, description: 'The user.', schema: user },
    refusals: [409],
  },
  {
    body: closed({
      email,
      name,
      password: Type.Optional(password),
      email_verified: Type.Optional(emailVerified),
      invite: Type.Optional(
        Type.Boolean({
          description:
            'Sends a mail with a link to set a password. Not together with `password`; a server without mails refuses it (409).',
        }),
      ),
      locale: Type.Optional(locale),
    }),
  },
)

const list = operation(
  {
    id: 'listUsers',
    tag,
    permission: 'users:read',
    summary: 'List users, or find the one with an e-mail address',
    answer: { status: 200, description: 'Users.', schema: pageOf(user) },
  },
  { querystring: closed({ ...pageParameters, email: Type.Optional(email) }) },
)

const read = operation(
  {
    id: 'readUser',
    tag,
    permission: 'users:read',
    summary: 'Read a user',
    answer: { status: 200, description: 'The user.', schema: user },
    refusals: [404],
  },
  { params },
)

const put = operation(
  {
    id: 'putUser',
    conditional: true,
    creates: true,
    checked: 'user_id',
    tag,
    permission: 'users:write',
    summary: 'Create or change a user under an id of the platform',
    description:
      'The case of letters counts. Fields that are left out stay as they are, so a repetition changes nothing, and a ' +
      'disabled user stays disabled. A new password ends all sessions and revokes all grants; the present one changes ' +
      'nothing. The id of a client is a conflict.',
    answer: { status: 200, description: 'The user.', schema: user },
    refusals: [409],
  },
  {
    params: Type.Object({ user_id: ownId('user') }),
    body: closed({
      email,
      name,
      password: Type.Optional(password),
      email_verified: Type.Optional(emailVerified),
      disabled: Type.Optional(Type.Boolean()),
      locale: Type.Optional(locale),
    }),
  },
)

const change = operation(
  {
    id: 'changeUser',
    conditional: true,
    tag,
    permission: 'users:write',
    summary: 'Change, disable or enable a user',
    description:
      'A new password ends all sessions and revokes all grants. While a user is disabled, sessions and tokens ' +
      'are refused, and a grant that is presented is revoked for good.',
    answer: { status: 200, description: 'The user.', schema: user },
    refusals: [404, 409],
  },
  {
    params,
    body: changes({
      email,
      name,
      password,
      email_verified: emailVerified,
      disabled: Type.Boolean(),
      locale,
    }),
  },
)

const remove = operation(
  {
    id: 'deleteUser',
    conditional: true,
    tag,
    permission: 'users:write',
    summary: 'Delete a user with all memberships, consents and grants',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

const removePasskeys = operation(
  {
    id: 'deleteUserPasskeys',
    tag,
    permission: 'users:write',
    summary: 'Remove all passkeys of a user who has lost theirs',
    description:
      'Ends the sessions that began with a passkey. Others stay until the password changes.',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404],
  },
  { params },
)

const invite = operation(
  {
    id: 'inviteUser',
    tag,
    permission: 'users:write',
    summary: 'Send a user a link to set a password',
    description:
      'The link works once, for seven days. Refused (409) for a disabled user, for one with a password, and by a server ' +
      'that sends no mails or accepts no passwords.',
    answer: { status: 204, description: 'The mail is queued.' },
    refusals: [404, 409],
  },
  { params },
)

/** Users. */
export const userRoutes = (scope: OperatorScope, users: Users, invitations: Invitations) => {
  scope.post('/users', create, async (request, reply) => {
    const { invite = false, ...user } = fieldsOf(request.body)
    if (invite) invitations.checkOffered()
    const created = await users.create({ ...user, isInvited: invite }, causeOf(request))
    reply.code(201).header('location', `${scope.prefix}/users/${created.id}`)
    return write(reply, created)
  })

  scope.post('/users/:user_id/invitation', invite, async (request, reply) => {
    await invitations.invite(request.params.user_id, causeOf(request))
    return reply.code(204).send()
  })

  scope.get('/users', list, async ({ query }) =>
    pageJson(await users.list(readPage(query), { email: query.email }), userJson),
  )

  scope.get('/users/:user_id', read, async ({ params }, reply) =>
    write(reply, await users.read(params.user_id)),
  )

  scope.put('/users/:user_id', put, async (request, reply) => {
    const { user_id: id } = request.params
    const wanted = fieldsOf(request.body)
    const precondition = preconditionOf(request, tagOf)
    const { item, created } = await users.put(id, wanted, causeOf(request), precondition)
    if (created) reply.code(201).header('location', `${scope.prefix}/users/${id}`)
    return write(reply, item)
  })

  scope.patch('/users/:user_id', change, async (request, reply) => {
    const patch = fieldsOf(request.body)
    const precondition = preconditionOf(request, tagOf)
    const { user_id } = request.params
    return write(reply, await users.change(user_id, patch, causeOf(request), precondition))
  })

  scope.delete('/users/:user_id/passkeys', removePasskeys, async (request, reply) => {
    await users.removePasskeys(request.params.user_id, causeOf(request))
    return reply.code(204).send()
  })

  scope.delete('/users/:user_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await users.remove(request.params.user_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
