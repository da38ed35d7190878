/** English: how long somebody has to wait. */
export const minutesOf = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)
