import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

/** Memory that is a file system (Linux), where there is enough; else the folder for temporary files. */
export const fastDirectory = async (): Promise<string> => {
  const space = await statfs(memory).catch(() => null)
  return space && space.bavail * space.bsize >= neededBytes ? memory : tmpdir()
}

/** A new directory that a database server under another user can enter. */
export async function temporaryDirectory(name: string, parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(join(parent, `latchkey-${name}-`))
  await chmod(directory, 0o711)
  return directory
}
