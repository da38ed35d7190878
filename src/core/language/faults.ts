/** One fault of the input: its place (JSON pointer, RFC 6901) and a description. */
export interface Fault {
  pointer: string
  detail: string
}
