import { type Static, Type } from 'typebox'
import { pageOfAll } from '../../../core/language/paging.ts'
import type { SigningKeys } from '../../../core/tokens/signing-keys.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

const signingKeySchema = api.component('SigningKey', 'A key that signs access tokens.', {
  kid: api.id,
  alg: Type.String(),
  status: api.oneOf(['next', 'active', 'retired']),
  created_at: api.timestamp,
  activated_at: api.nullable(api.timestamp),
  retired_at: api.nullable(api.timestamp),
})
export type SigningKeyJson = Static<typeof signingKeySchema>

const activatedKey = Type.Object({ kid: api.id, activated_at: api.timestamp })
export type ActivatedKeyJson = Static<typeof activatedKey>

type ListedKey = Awaited<ReturnType<SigningKeys['list']>>[number]

const orders = {
  created_at: ({ createdAt }: ListedKey) => createdAt.getTime(),
  status: ({ status }: ListedKey) => status,
}
const textsOf = ({ kid, alg }: ListedKey) => [kid, alg]

export const signingKeyRoutes = (
  scope: Scope,
  { signingKeys }: { signingKeys: Pick<SigningKeys, 'list' | 'rotate' | 'replace'> },
) => {
  const on = operations(scope, {
    tag: 'signing keys',
    area: 'keys',
    schema: signingKeySchema,
    one: 'Signing keys.',
  })

  on.list('/signing-keys', 'listSigningKeys', 'List the published signing keys', {
    querystring: listQuery(['status']),
    run: async (_call, page) => pageOfAll(await signingKeys.list(), page, orders, textsOf),
  })

  on.act('/signing-keys/rotate', 'rotateSigningKeys', 'Sign with the next key', {
    description:
      'Tokens signed earlier stay valid until they expire. A key that was published too recently starts to sign a ' +
      'little later, so that every verifier knows it by then.',
    answer: { description: 'The key, and when it starts to sign.', schema: activatedKey },
    body: api.closed({
      withdraw: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Drop all keys and sign with a new one. Tokens signed earlier are invalid at once.',
        }),
      ),
    }),
    run: async ({ body: { withdraw } }, cause) => {
      const { kid, activatedAt } = await signingKeys[withdraw ? 'replace' : 'rotate'](cause)
      return { kid, activated_at: activatedAt.toISOString() }
    },
  })
}
