/** Matches a Host header as clients may send it (RFC 9110 §4.2.3): in any case, with or without the default port. */
const hostPattern = ({ host, port, protocol }: URL): RegExp => {
  const escaped = host.replaceAll(/[^\w-]/g, '\\$&')
  const usual = protocol === 'https:' ? 443 : 80
  return new RegExp(`^${escaped}${port === '' ? `(?::${usual})?` : ''}$`, 'i')
}

/** The Host on which a legacy endpoint answers; null: every Host. */
export const legacyHostOf = (origin: string | null): RegExp | null =>
  origin === null ? null : hostPattern(new URL(origin))
