/** One fault of the input: where it is (JSON pointer, RFC 6901) and what is wrong there. */
export interface Fault {
  pointer: string
  detail: string
}
