import type { CDPSession, Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** Whether the authenticator verifies the user (finger, face, PIN). */
  verifies(isVerified: boolean): Promise<void>
  /** Resets every counter, like an older copy of the authenticator. */
  turnBackCounters(): Promise<void>
}

/** A built-in authenticator of this page's browser, through DevTools. */
export const addAuthenticator = async (page: Page): Promise<VirtualAuthenticator> => {
  const devTools: CDPSession = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: async (isUserVerified) => {
      await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    turnBackCounters: async () => {
      const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
      for (const credential of credentials) {
        const { credentialId } = credential
        await devTools.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
        await devTools.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount: 0 },
        })
      }
    },
  }
}
