import { usageError } from '../exit-codes.ts'

/** The same as `engines` in package.json. */
const needed = [20, 19] as const

/** @throws CommandError for an older Node: its own error would name a function that it does not have */
export const checkNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return
  throw usageError(`this is Node ${version}; Latchkey needs Node ${needed.join('.')} or newer`, [
    'https://nodejs.org has it, and the container image brings its own',
  ])
}
