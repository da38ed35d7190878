import type { Limits } from '../limits/limits.ts'

/**
 * Counts the check of a password that somebody sent with the attempts to sign in. Only a wrong password stays counted as
 * a failure.
 * @param email normalised
 * @throws OAuthError slow_down (429) after too many failures, before `check` begins
 */
export const countAttempt = async <Checked extends { matches: boolean }>(
  limits: Pick<Limits, 'signInAttempt'>,
  { email, address = '' }: { email: string; address?: string | null | undefined },
  check: () => Promise<Checked>,
): Promise<Checked> => {
  const undo = await limits.signInAttempt(address ?? '', email)
  const checked = await check().catch(async (fault) => {
    // A password that was not checked must not count as wrong.
    await undo().catch(() => undefined)
    throw fault
  })
  if (checked.matches) await undo()
  return checked
}
