import type { FastifyInstance } from 'fastify'
import { type EndSessionDependencies, endSession } from './end-session.ts'
import { createSignInPage } from './page.ts'
import { type PasskeySignInDependencies, passkeySignIn } from './passkey-sign-in.ts'
import { type PasswordByMailDependencies, passwordByMail } from './password-by-mail.ts'
import { type ProviderSignInDependencies, providerSignIn } from './provider-sign-in.ts'
import { type SignInDependencies, signIn } from './sign-in.ts'

export interface SignInPagesDependencies
  extends SignInDependencies,
    ProviderSignInDependencies,
    PasskeySignInDependencies,
    EndSessionDependencies,
    PasswordByMailDependencies {
  providerSignIn: ProviderSignInDependencies['providerSignIn']
  administering: PasskeySignInDependencies['administering']
}

/** Sign-in by password, passkey or the platform's provider, and sign-out. */
export const signInPages = (scope: FastifyInstance, deps: SignInPagesDependencies) => {
  const showSignIn = createSignInPage(deps)
  signIn(scope, deps, showSignIn)
  providerSignIn(scope, deps, showSignIn)
  passkeySignIn(scope, deps, showSignIn)
  endSession(scope, deps)
  passwordByMail(scope, deps)
}
