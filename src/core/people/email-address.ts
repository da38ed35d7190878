import { domainToASCII, domainToUnicode } from 'node:url'
import { type Fault, faultAt } from '../language/faults.ts'

export const longestEmail = 254
/** The syntax of an e-mail address in browsers (WHATWG HTML §4.10.5.1.5), as a JSON Schema pattern. */
export const emailPattern =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?" +
  '(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$'
const email = new RegExp(emailPattern, 'u')

/** What may be typed: letters of all languages, in any normalisation. What is stored has `emailPattern`. */
export const typedEmailPattern = '^\\s*[^\\s@]+@[^\\s@]+\\s*$'

const otherLetter = /[\u0080-\u{10ffff}]/u

/** The name and the host, around the last `@`. */
const partsOf = (address: string): [local: string, domain: string] => {
  const at = address.lastIndexOf('@')
  return [address.slice(0, at + 1), address.slice(at + 1)]
}

/** A domain with other letters has its IDN form (A-labels, UTS 46); one that has none stays, and is no domain. */
const asciiDomain = (domain: string) =>
  !otherLetter.test(domain) || /[^a-z0-9.\-\u0080-\u{10ffff}]/iu.test(domain)
    ? domain
    : domainToASCII(domain) || domain

/** The address with the IDN form of its domain, to send mails to. */
export const sentAddress = (text: string) => {
  const [local, domain] = partsOf(text.trim())
  return `${local}${asciiDomain(domain)}`
}

/**
 * The normalised spelling under which an e-mail address is stored and looked up. Of the part before the `@` only ASCII
 * letters are lowered: toLowerCase and NFC turn U+212A (Kelvin sign) into another letter, and so one address into another.
 */
export const normaliseEmail = (text: string) =>
  sentAddress(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Could this be a normalised e-mail address? */
export const isEmailAddress = (text: string) => text.length <= longestEmail && email.test(text)

/** Why an address with `hasOtherLetters` is refused, as the rest of a sentence. */
export const otherLetters =
  'has letters before the @ that not every mail server takes (SMTPUTF8): only ASCII letters can stand there'

/** An address, but for letters before the `@` that only mail servers with SMTPUTF8 (RFC 6531) take. */
export const hasOtherLetters = (text: string) => {
  const [local, domain] = partsOf(normaliseEmail(text))
  return (
    otherLetter.test(local) &&
    isEmailAddress(`${local.replace(/[\u0080-\u{10ffff}]+/gu, 'x')}${domain}`)
  )
}

export const emailFaults = (text: string): Fault[] => {
  if (isEmailAddress(text)) return []
  return hasOtherLetters(text)
    ? [faultAt('/email', 'email_letters', otherLetters)]
    : [faultAt('/email', 'email', 'is not an e-mail address')]
}

// Latin letters with a mark, of Latin-1 and Latin Extended-A: none looks like an ASCII letter, as dotless i and others do.
const shownLabel = /^[a-z0-9\-\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u017e]+$/u

/** The address as people read it. A domain that may look like another keeps its A-labels. */
export const shownEmail = (address: string) => {
  const [local, domain] = partsOf(address)
  const labels = domain.split('.').map((label) => {
    const shown = label.startsWith('xn--') ? domainToUnicode(label) : label
    return shownLabel.test(shown) ? shown : label
  })
  return `${local}${labels.join('.')}`
}
