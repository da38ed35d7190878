import type { FastifyInstance } from 'fastify'
import { endSession } from './end-session.ts'
import { createSignInPage } from './page.ts'
import { passkeySignIn } from './passkey-sign-in.ts'
import { passwordByMail } from './password-by-mail.ts'
import { providerSignIn } from './provider-sign-in.ts'
import type { PageServices } from './services.ts'
import { signIn } from './sign-in.ts'

/** Sign-in by password, passkey or the platform's provider, and sign-out. */
export const signInPages = (scope: FastifyInstance, deps: PageServices) => {
  const showSignIn = createSignInPage(deps)
  signIn(scope, deps, showSignIn)
  providerSignIn(scope, deps, showSignIn)
  passkeySignIn(scope, deps, showSignIn)
  endSession(scope, deps)
  passwordByMail(scope, deps)
}
