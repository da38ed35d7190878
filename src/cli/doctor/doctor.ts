import { secretSettings, withSecretFiles } from '../../config/secret-files.ts'
import { singleAction } from '../command.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { fields, print } from '../output.ts'

/** Removes the secrets of the settings, and the passwords in their URLs. */
const cleaner = (env: NodeJS.ProcessEnv) => {
  const values = withSecretFiles(env, [])
  const given = secretSettings.map((name) => values[name] ?? '')
  const passwords = given.map((one) => (URL.canParse(one) ? new URL(one).password : ''))
  const secrets = [...given, ...passwords, ...passwords.map(decodeURIComponent)].filter(Boolean)
  return (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
}

export const doctor = singleAction('doctor', 'check the installation, and say what to change', {
  summary: 'Check settings, libraries, stores, keys, mail, server, proxy and clocks.',
  notes: [
    'It changes nothing. The settings are those of the environment, of --env-file, or of /etc/latchkey. The output has no',
    'secrets, so that it can go into a ticket. Exits with 1 when something is wrong.',
  ],
  run: async (input, terminal) => {
    const { examine } = await import('./examine.ts')
    const clean = cleaner(terminal.env)
    const checks = (await examine(terminal)).map(({ problem, ...one }) =>
      problem === undefined ? one : { ...one, problem: clean(problem) },
    )
    print(terminal, input, { checks }, () =>
      fields(
        checks.map((one) => [one.name, 'problem' in one ? `${one.problem} → ${one.change}` : 'ok']),
      ),
    )
    const failed = checks.filter(({ ok }) => !ok).length
    if (failed > 0) throw new CommandError(exitCodes.failed, `found wrong: ${failed}`)
  },
})
