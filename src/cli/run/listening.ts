import { CommandError, exitCodes } from '../exit-codes.ts'

/** The names of the two settings. */
interface Settings {
  port: string
  host: string
}

const reasons: Record<string, (port: number, host: string, settings: Settings) => string> = {
  EADDRINUSE: (port, host, settings) =>
    `port ${port} on ${host} is in use: set ${settings.port} to another one`,
  EACCES: (port, _host, settings) =>
    `port ${port} needs privileges that this process does not have: set ${settings.port} to another one`,
  EADDRNOTAVAIL: (_port, host, settings) =>
    `${host} is not an address of this machine: set ${settings.host} to one`,
}

/** The reason why a server cannot listen, in one line; null for other errors. */
export const listenFault = (
  error: unknown,
  settings: Settings = { port: 'PORT', host: 'HOST' },
): CommandError | null => {
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  const reason = reasons[code ?? '']
  return reason
    ? new CommandError(exitCodes.failed, reason(port ?? 0, address ?? 'this host', settings))
    : null
}
