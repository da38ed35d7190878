import { insufficient, invalid, type Requirement, type Theme } from './vector.ts'
import {
  accepted,
  alteredToken,
  claimsFor,
  currentUser,
  legacyInstall,
  legacyUser,
  tokenOf,
  vector,
} from './world.ts'

const token = tokenOf(legacyUser)
const demanded: Requirement = { interface: 'legacy', organization: 'org_north' }

/** Tokens of the legacy interface, and where GraphQL variables carry them. */
export const legacyTokens = (): Theme => ({
  file: 'legacy-tokens',
  vectors: [
    vector('a user token of the legacy interface', {
      credential: token,
      expect: accepted(legacyUser),
    }),
    vector('an install token of the legacy interface', {
      credential: tokenOf(legacyInstall),
      expect: accepted(legacyInstall),
    }),
    vector('a legacy token with a list of workspaces', {
      credential: alteredToken({ ...claimsFor(legacyUser), workspace_ids: ['wks_plan'] }),
      expect: invalid('claims'),
    }),
    vector('a legacy token that leaves its workspaces to introspection', {
      credential: alteredToken({
        ...claimsFor(legacyUser),
        workspace_ids: undefined,
        workspaces: 'introspect',
      }),
      expect: invalid('claims'),
    }),
    vector('a legacy token in the variable accessToken', {
      credential: { variables: { accessToken: token } },
      expect: accepted(legacyUser),
    }),
    vector('a legacy token in the variable secretKey', {
      credential: { variables: { secretKey: token } },
      expect: accepted(legacyUser),
    }),
    vector('the variables accessToken and secretKey at once', {
      credential: { variables: { accessToken: token, secretKey: token } },
      expect: invalid('two_credentials'),
    }),
    vector('accessToken beside a secretKey that is null', {
      credential: { variables: { accessToken: token, secretKey: null } },
      expect: accepted(legacyUser),
    }),
    vector('variables without a credential', {
      credential: { variables: { table: 'orders' } },
      expect: invalid('missing'),
    }),
    vector('no variables', { credential: { variables: null }, expect: invalid('missing') }),
    vector('a list in the variable accessToken', {
      credential: { variables: { accessToken: [token] } },
      expect: invalid('malformed'),
    }),
    vector('an empty text in the variable accessToken', {
      credential: { variables: { accessToken: '' } },
      expect: invalid('missing'),
    }),
    vector('a legacy token for the legacy interface', {
      request: { requires: { ...demanded, permissions: ['readData'] } },
      credential: token,
      expect: accepted(legacyUser),
    }),
    vector('a legacy token at the current interface', {
      request: { requires: { interface: 'current', organization: 'org_north' } },
      credential: token,
      expect: invalid('interface'),
    }),
    vector('a current token at the legacy interface', {
      request: { requires: demanded },
      credential: { variables: { accessToken: tokenOf(currentUser) } },
      expect: invalid('interface'),
    }),
    vector('a legacy token without the permission', {
      request: { requires: { ...demanded, permissions: ['readData', 'deleteData'] } },
      credential: token,
      expect: insufficient('permission'),
    }),
    vector('a legacy token for data of another organization', {
      request: { requires: { ...demanded, organization: 'org_south' } },
      credential: token,
      expect: insufficient('organization'),
    }),
  ],
})
