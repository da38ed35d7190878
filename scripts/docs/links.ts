import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { addressOf, type Source } from './sources.ts'

export type Target =
  | { kind: 'elsewhere'; href: string }
  | { kind: 'page'; href: string; path: string; anchor: string | null }
  /** A file of the repository that is not a page. */
  | { kind: 'file'; path: string }

/** Resolves the links of a source. */
export type Resolve = (href: string) => Target

const images = 'docs/images/'

/** @param path of the source with the links, relative to the root of the repository */
export const resolverOf = (path: string, sources: readonly Source[]): Resolve => {
  const slugs = new Map(sources.map((one) => [one.path, one.slug]))
  return (href) => {
    if (/^[a-z][a-z\d+.-]*:/.test(href)) return { kind: 'elsewhere', href }
    const [before = '', anchor = null] = href.split('#', 2)
    const plain = before === '' ? path : posix.join(posix.dirname(path), decodeURI(before))
    const target = [plain, posix.join(plain, 'README.md')].find((one) => slugs.has(one))
    if (target === undefined) return { kind: 'file', path: plain.replace(/\/$/, '') }
    const page = target === path ? '' : addressOf(slugs.get(target) ?? '')
    const fragment = anchor === null ? '' : `#${anchor}`
    return { kind: 'page', href: page + fragment, path: target, anchor }
  }
}

/**
 * The server's address of an image. @throws Error when it does not exist in the image folder
 * @throws Error when it is not there, or elsewhere
 */
export const imageAddress = (path: string, src: string): string => {
  const file = posix.join(posix.dirname(path), src)
  if (!file.startsWith(images) || !existsSync(file))
    throw new Error(`${path}: ${src} is not in ${images}`)
  return `/docs/images/${file.slice(images.length)}`
}
