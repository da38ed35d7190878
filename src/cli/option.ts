export interface Option {
  /** Name of the value in the help. Absent for a switch. */
  value?: string
  /** The option may be repeated. */
  multiple?: true
  help: string
}
