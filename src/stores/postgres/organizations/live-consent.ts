/** Condition of a join with consents `c`: an expired consent is none, also before it is deleted. */
export const liveConsent = 'coalesce(c.expires_at > now(), true)'
