import type { FastifyRequest } from 'fastify'
import type { Precondition } from '../../core/language/precondition.ts'
import type { OperatorCause } from '../../core/people/account-guard.ts'
import { etagOf, preconditionOf } from './etag.ts'

/** The audited cause of the changes that this request makes. */
export const causeOf = (request: FastifyRequest): OperatorCause => ({
  actor: { kind: 'operator', id: request.operator.id },
  rights: request.operator,
  address: request.ip,
  requestId: request.id,
})

/** The last arguments of a change of a resource: the audited cause, and the rule of `If-Match` and `If-None-Match`. */
export type Change<Item> = [cause: OperatorCause, precondition: Precondition<Item>]

/**
 * The rule also notes whether the resource existed.
 * @param versionOf what the entity tag of the resource is made of
 * @throws Invalid for a header that cannot be read
 */
export const changeOf = <Item>(
  request: FastifyRequest,
  versionOf: (item: Item) => object,
): Change<Item> => {
  const precondition = preconditionOf(request, (item: Item) => etagOf(versionOf(item)))
  const note = (current: Item | null) => {
    precondition(current)
    request.isNew = current === null
  }
  return [causeOf(request), note]
}
