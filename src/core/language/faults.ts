/** One fault of the input: its place (JSON pointer, RFC 6901), a description, and a stable reason where there is one. */
export interface Fault {
  pointer: string
  detail: string
  reason?: string
}
