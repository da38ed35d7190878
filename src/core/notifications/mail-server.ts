/** The server that sends mails, and the addresses in them. */
export interface MailAddress {
  /** May be empty. */
  name: string
  address: string
}

export interface MailServer {
  server: {
    host: string
    port: number
    /** TLS from the beginning. */
    isSecure: boolean
    /** Without TLS nothing is sent. */
    needsTls: boolean
    user: string | null
    password: string
  }
  from: MailAddress
  replyTo: MailAddress | null
}
