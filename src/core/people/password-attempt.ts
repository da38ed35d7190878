import type { Caller } from '../limits/fair-queue.ts'
import type { Limits } from '../limits/limits.ts'

/**
 * Runs a check of a password. It counts as an attempt to sign in, and as a failed one if the password is wrong.
 * @throws OAuthError slow_down (429) after too many failures, before `check` begins
 */
export const countAttempt = async <Checked extends { matches: boolean }>(
  limits: Pick<Limits, 'signInAttempt'>,
  { account, address }: Caller,
  check: () => Promise<Checked>,
): Promise<Checked> => {
  const undo = await limits.signInAttempt(address ?? '', account)
  const checked = await check().catch(async (fault) => {
    // A password that was not checked must not count as wrong.
    await undo().catch(() => undefined)
    throw fault
  })
  if (checked.matches) await undo()
  return checked
}
