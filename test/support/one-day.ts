/** Seconds; far more than a test needs on a slow machine. */
const needed = 180

/** Waits for the next day if this one (UTC) is about to end, for tests whose subject is counted or shown by day. */
export const withinOneDay = async () => {
  const left = 86_400_000 - (Date.now() % 86_400_000)
  if (left < needed * 1000) await new Promise((resolve) => setTimeout(resolve, left + 1000))
}
