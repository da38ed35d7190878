export interface Option {
  /** What its value is, for the help; none: it is a switch. */
  value?: string
  /** May be given several times. */
  multiple?: true
  help: string
}
