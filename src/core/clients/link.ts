// Links that an app describes itself by: its website, logo, location, privacy policy and terms.
import { type Fault, type FaultReason, faultAt } from '../language/faults.ts'
import { isLoopback, uriCharacters } from './redirect-uri.ts'

export const longestUri = 2000

const linkFault = (text: string): string | null => {
  if (text.length > longestUri) return `is longer than ${longestUri} characters`
  if (!uriCharacters.test(text) || !URL.canParse(text)) return 'is not an absolute URI'
  const url = new URL(text)
  if (url.username || url.password) return 'has user information'
  return url.protocol === 'https:' || isLoopback(url) ? null : 'must use https'
}

/** What is wrong with a link; null is none. @param pointer of the setting in JSON */
export const linkFaults = (pointer: string, text: string | null, reason: FaultReason = 'link') => {
  const detail = text === null ? null : linkFault(text)
  return detail ? [faultAt(pointer, reason, detail)] : []
}

/** An SVG is a document with a language of its own, and this server decodes images only. */
export const isSvgLink = (text: string): boolean => {
  const { pathname } = new URL(text)
  try {
    return /\.svgz?$/i.test(decodeURIComponent(pathname))
  } catch {
    return false
  }
}

/** What is wrong with the link to a logo. @param pointer of the setting in JSON */
export const logoFaults = (pointer: string, text: string | null): Fault[] => {
  const faults = linkFaults(pointer, text)
  if (faults.length > 0 || text === null || !isSvgLink(text)) return faults
  return [faultAt(pointer, 'svg', 'is an SVG; name a PNG, JPEG or WebP')]
}

/** What is wrong with a link to a privacy policy or terms, which are public: https only. @param pointer of the setting in JSON */
export const legalLinkFaults = (pointer: string, text: string | null): Fault[] => {
  const faults = linkFaults(pointer, text)
  if (faults.length > 0 || text === null) return faults
  return new URL(text).protocol === 'https:' ? [] : [faultAt(pointer, 'link', 'must use https')]
}
