/** Describes a browser so that its user recognises it. */
export interface Device {
  /** `Firefox`; null: unknown. */
  browser: string | null
  /** `Windows`; null: unknown. */
  system: string | null
}

// The order matters: most browsers also name others, to be served the same pages.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const longest = 1000
const nameIn = (table: typeof browsers, text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Browser and system by fixed names; no text of the header is kept. @param userAgent RFC 9110 §10.1.5 */
export const deviceOf = (userAgent: string | undefined): Device => {
  const text = (userAgent ?? '').slice(0, longest)
  return { browser: nameIn(browsers, text), system: nameIn(systems, text) }
}
