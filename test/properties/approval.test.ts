import fc from 'fast-check'
import t from 'tap'
import { approvedOf } from '../../src/core/grants/approval.ts'
import { OAuthError } from '../../src/core/language/errors.ts'
import { vocabulary } from '../../src/core/language/permissions.ts'
import { narrow, parseScope, parseWorkspaceIds } from '../../src/core/language/scope.ts'
import { holds, textOf } from '../support/property.ts'

const generation = fc.constantFrom('legacy' as const, 'current' as const)
const permissions = fc.subarray([...vocabulary.current])
const workspaces = fc.subarray(['wksA', 'wksB', 'wksC', 'wksD'])
const limit = fc.option(workspaces)

const approval = fc.record({
  installPermissions: permissions,
  installWorkspaceIds: limit,
  presentWorkspaceIds: workspaces,
})
const grant = fc.option(fc.record({ permissions, workspaceIds: limit }))
const app = fc.record({ permissions })

const isIn = (limited: readonly string[] | null, one: string) =>
  limited === null || limited.includes(one)

/** The result of a rule, or its OAuth error code; other errors are thrown on. */
const outcomeOf = <Result>(rule: () => Result): Result | string => {
  try {
    return rule()
  } catch (error) {
    if (error instanceof OAuthError) return error.code
    throw error
  }
}

holds(
  t,
  'the approval is exactly what app, install, consent and membership all allow',
  fc.property(app, approval, grant, (app, approval, grant) => {
    const approved = approvedOf(app, approval, grant)
    const everything = vocabulary.current.filter(
      (one) =>
        app.permissions.includes(one) &&
        approval.installPermissions.includes(one) &&
        isIn(grant?.permissions ?? null, one),
    )
    const everywhere = approval.presentWorkspaceIds.filter(
      (one) => isIn(approval.installWorkspaceIds, one) && isIn(grant?.workspaceIds ?? null, one),
    )
    return (
      String([...approved.permissions].sort()) === String([...everything].sort()) &&
      String(approved.workspaceIds) === String(everywhere)
    )
  }),
  1500,
)

holds(
  t,
  'removing a permission never widens the result',
  fc.property(
    app,
    approval,
    grant,
    permissions,
    workspaces,
    (app, approval, grant, less, fewer) => {
      const before = approvedOf(app, approval, grant)
      const smaller = {
        installPermissions: approval.installPermissions.filter((one) => less.includes(one)),
        installWorkspaceIds: (approval.installWorkspaceIds ?? fewer).filter((one) =>
          fewer.includes(one),
        ),
        presentWorkspaceIds: approval.presentWorkspaceIds.filter((one) => fewer.includes(one)),
      }
      const after = approvedOf(app, smaller, grant)
      return (
        after.permissions.every((one) => before.permissions.includes(one)) &&
        after.workspaceIds.every((one) => before.workspaceIds.includes(one))
      )
    },
  ),
)

holds(
  t,
  'a part of the approval is granted, and nothing beyond it',
  fc.property(permissions, fc.option(permissions), (approved, requested) => {
    const given = outcomeOf(() => narrow(approved, requested, 'permission_not_approved'))
    if (requested === null) return String(given) === String(approved)
    if (!requested.every((one) => approved.includes(one))) return given === 'invalid_scope'
    return String([...given].sort()) === String([...requested].sort())
  }),
  1500,
)

const scopeLike = textOf(
  ...vocabulary.current,
  ...vocabulary.legacy,
  ...[' ', '  ', '\t', '\n', '"', '\\', ',', 'RECORDS:CREATE', 'openid', 'wksA', 'wksA|tblB', '\0'],
  ...['__proto__', 'constructor', '*', '\u200b'],
)

holds(
  t,
  'any scope is refused or a part of the vocabulary',
  fc.property(generation, scopeLike, (generation, text) => {
    const read = outcomeOf(() => parseScope({ interface: generation, permissions: [] }, text))
    if (typeof read === 'string') return read === 'invalid_scope'
    if (read === null) return false
    const words = text.split(' ').filter((one) => one !== '')
    return (
      read.every((one) => vocabulary[generation].includes(one)) &&
      new Set(read).size === read.length &&
      String([...new Set(words)].sort()) === String([...read].sort()) &&
      String(parseScope({ interface: generation, permissions: [] }, read.join(' '))) ===
        String(read)
    )
  }),
  2000,
)

holds(
  t,
  'any list of workspaces is refused or kept exactly as sent',
  fc.property(scopeLike, (text) => {
    const read = outcomeOf(() => parseWorkspaceIds(text))
    if (typeof read === 'string') return read === 'invalid_scope'
    const words = new Set(text.split(' ').filter((one) => one !== ''))
    return String(read) === String([...words]) && words.size > 0
  }),
  2000,
)
