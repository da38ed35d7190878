import { CommandError, exitCodes } from '../exit-codes.ts'

/**
 * The reason why a server cannot listen, in one line; null for other errors.
 * @param settings their names
 */
export const listenFault = (error: unknown, settings = { port: 'PORT', host: 'HOST' }) => {
  const fault = error as { code?: string; port?: number; address?: string }
  const { code = '', port = 0, address: host = 'this host' } = fault
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is in use: set ${settings.port} to another one`,
    EACCES: `port ${port} needs privileges that this process does not have: set ${settings.port} to another one`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: set ${settings.host} to one`,
  }
  const reason = reasons[code]
  return reason === undefined ? null : new CommandError(exitCodes.failed, reason)
}
