/** English: a waiting time. */
export const minutesOf = (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`)
