// Fetches logos that apps and organizations name, in the background, and again when they are no longer fresh.

import { createHash } from 'node:crypto'
import { periodically } from '../limits/periodically.ts'
import { type FetchDocument, FetchFailed } from '../outbound/fetch-document.ts'
import { freshSeconds } from '../outbound/freshness.ts'
import { OutboundBusy } from '../outbound/waits.ts'
import { type EncodeLogo, ImageRefused, imageTypes, mostImageBytes } from './logo-image.ts'
import type { DueLogo, LogoFault, LogoStore } from './logo-store.ts'

const mostAtOnce = 4
/** Seconds; longer than it takes to fetch and to encode one. */
const lease = 120
const longestFetch = 10 // seconds
/** For an image that cannot be used, or that ends the process. */
const mostAttempts = 3
const firstRetry = 15 * 60 // seconds; each further one waits four times as long
const day = 24 * 3600 // seconds
/** Seconds for which a logo is not read again. */
const freshness = { least: 5 * 60, most: day }

/** What its owner need not mend. */
const isPassing = (fault: LogoFault) => ['timeout', 'unreachable', 'status'].includes(fault)

/** @returns seconds; null: not again */
const retryAfter = (fault: LogoFault, { attempts }: DueLogo) => {
  if (attempts < mostAttempts) return isPassing(fault) ? firstRetry * 4 ** (attempts - 1) : day
  return isPassing(fault) ? day : null
}

/** Any number of instances share the work. */
export const createLogoFetch = (options: {
  store: Pick<LogoStore, 'claim' | 'store' | 'unchanged' | 'failed' | 'postpone'>
  fetchDocument: FetchDocument
  /** null: this platform has no image library. */
  loadEncoder(): Promise<EncodeLogo | null>
  onRefused(fault: LogoFault, logo: DueLogo): void
  /** Called once: logos are off. */
  onUnsupported(): void
  onError(error: unknown): void
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds between two queries for due logos. */
  interval?: number
}) => {
  const { store, fetchDocument, loadEncoder, onRefused, onError, now, interval = 5_000 } = options
  let isOff = false

  const fetchOne = async (logo: DueLogo, encode: EncodeLogo) => {
    const response = await fetchDocument(logo.uri, {
      mostBytes: mostImageBytes,
      seconds: longestFetch,
      // SVG is fetched too, so that the stored fault names it.
      accept: [...imageTypes, 'image/svg+xml'],
      etag: logo.etag,
      owner: logo.id,
    })
    const fresh = freshSeconds(response, now(), freshness)
    if (response.status === 304) return store.unchanged(logo, fresh)
    const image = await encode(response.body)
    const digest = createHash('sha256').update(image).digest('hex')
    return store.store(logo, { digest, image, etag: response.headers.etag ?? null }, fresh)
  }

  const tryOne = async (logo: DueLogo, encode: EncodeLogo) => {
    try {
      await fetchOne(logo, encode)
    } catch (error) {
      if (error instanceof OutboundBusy) return store.postpone(logo, firstRetry)
      if (!(error instanceof FetchFailed || error instanceof ImageRefused)) return onError(error)
      const fault = error.reason
      onRefused(fault, logo)
      await store.failed(logo, { fault, retryAfter: retryAfter(fault, logo) })
    }
  }

  const turnOff = async (claimed: DueLogo[]) => {
    isOff = true
    options.onUnsupported()
    // Another instance may have the library.
    await Promise.all(claimed.map((logo) => store.postpone(logo, firstRetry)))
  }

  /** Fetches what is due now. @returns how many */
  const run = async (): Promise<number> => {
    if (isOff) return 0
    const due = await store.claim(mostAtOnce, lease, mostAttempts)
    if (due.length === 0) return 0
    const encode = await loadEncoder()
    if (encode) await Promise.all(due.map((logo) => tryOne(logo, encode).catch(onError)))
    else await turnOff(due)
    return due.length
  }

  /** `close` finishes the logos that are being fetched. */
  return { run, close: periodically({ every: interval, run, onError }).close }
}
