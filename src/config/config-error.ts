/** All faults of the configuration, one line each. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(
      `the configuration has ${faults.length} fault(s):\n${faults.map((one) => `  ${one}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}
