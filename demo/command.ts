import { singleAction } from '#dist/cli/command.js'
import { usageError } from '#dist/cli/exit-codes.js'
import { listenFault } from '#dist/cli/run/listening.js'
import { closeOnSignal } from '#dist/cli/run/shutdown.js'
import { say } from '#dist/cli/terminal.js'
import { startDemo } from './demo.ts'
import { welcome } from './welcome.ts'

export const demo = singleAction(
  'demo',
  'run the server with sample users, apps and a demo client',
  {
    summary: 'Run a server with sample data, and a demo client and a data API on the next ports.',
    options: {
      port: {
        value: 'number',
        help: "the server's port (default: as in the last start, else 3000)",
      },
    },
    notes: ['All data is in data/demo. Delete it to start again. Ctrl-C stops the demo.'],
    run: async (input, terminal) => {
      const port = input.number('port')
      if (port !== undefined && (port < 1 || port > 65_530))
        throw usageError('--port must be 1 to 65530')
      const tell = (line: string) => {
        if (!input.json) say(terminal, line)
      }
      const starting = startDemo({
        ...(port !== undefined && { port }),
        directory: 'data/demo',
        tell,
      })
      const silent = {
        info: () => undefined,
        error: (_: object, text: string) => console.error(text),
      }
      closeOnSignal(async () => {
        const running = await starting.catch(() => null)
        await running?.close()
      }, silent)
      const running = await starting.catch((error) => {
        throw listenFault(error) ?? error
      })
      const { close: _, ...about } = running
      if (input.json) say(terminal, JSON.stringify(about))
      else tell(welcome(about))
    },
  },
)
