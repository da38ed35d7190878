import { CommandError, exitCodes } from './exit-codes.ts'

const reasons: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port, host) => `port ${port} on ${host} is in use: set PORT to another one`,
  EACCES: (port) =>
    `port ${port} needs privileges that this process does not have: set PORT to another one`,
  EADDRNOTAVAIL: (_port, host) => `${host} is not an address of this machine: set HOST to one`,
}

/** The reason why a server cannot listen, in one line; null for other errors. */
export const listenFault = (error: unknown): CommandError | null => {
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  const reason = reasons[code ?? '']
  return reason
    ? new CommandError(exitCodes.failed, reason(port ?? 0, address ?? 'this host'))
    : null
}
