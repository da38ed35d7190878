// Names that other people chose, in a form that no mail program turns into a link.

// Characters that are or become a dot, colon, slash, backslash or at sign (UTS #46 §4, Unicode TR 36 §2.9).
const dots =
  '.\\u2024-\\u2026\\u2488-\\u249b\\u3002\\ufe12\\ufe19\\ufe30\\ufe52\\uff0e\\uff61\\u{1f100}'
const colons = ':\\u2236\\ua789\\ufe13\\ufe55\\uff1a'
const slashes = '/\\\\\\u2044\\u2215\\ufe68\\uff0f\\uff3c'
const ats = '@\\ufe6b\\uff20'

/**
 * A dot before a possible last label of a host name, which has two letters or more. `S.p.A.`, `v2.0` and `Dr. No` have
 * none.
 */
const beforeLabel = `(?<=\\S[${dots}])(?=[\\p{L}\\p{M}\\p{S}])(?![\\p{Lu}\\p{Ll}](?![\\p{L}\\p{M}\\p{S}\\p{N}-]))`
/** The last dot of an IP address. */
const inAddress = `(?<=(?:^|[^\\p{N}${dots}])(?:\\p{Nd}{1,3}[${dots}]){3})(?=\\p{Nd})`
/** A colon after a scheme or before a port; `10:30` has none. */
const afterColon = `(?<=[\\p{sc=Latin}\\p{N}.+-][${colons}])(?=\\S)(?!(?<=\\p{Nd}[${colons}])\\p{Nd})`
const betweenSlashes = `(?<=[${slashes}])(?=[${slashes}])`
const aroundAt = `(?<=\\S)(?=[${ats}]\\S)|(?<=\\S[${ats}])(?=\\S)`

const breaks = new RegExp(
  [beforeLabel, inAddress, afterColon, betweenSlashes, aroundAt].join('|'),
  'gu',
)

/** A telephone number: nine digits, or seven after a plus sign. */
const telephone =
  /[+\uff0b](?:[\s().\-/\p{Pd}]{0,3}\p{Nd}){7,}|\p{Nd}(?:[\s().\-/\p{Pd}]{0,3}\p{Nd}){8,}/gu
/** Three digits in a row are no number to call, and neither are digits around a low line. */
const inThrees = (number: string) =>
  number.replace(/[\s().\-/\p{Pd}]+/gu, '_').replace(/\p{Nd}{3}(?=\p{Nd})/gu, '$&_')

/**
 * Adds spaces, so that web, mail and IP addresses, paths and telephone numbers end where a mail program would continue
 * them: `evil.example` becomes `evil. example`. Other names stay as they are. Linear time.
 */
export const unlinked = (name: string): string =>
  name.replace(telephone, inThrees).replace(breaks, ' ')
