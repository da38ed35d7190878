import { readdirSync } from 'node:fs'
import { readStaticFile } from './static-file.ts'

const directory = new URL('../../../views/assets/', import.meta.url)
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
}

const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** The files of views/assets by name, read once at startup. */
export const assets = new Map(
  readdirSync(directory).map((name) => [
    name,
    readStaticFile(new URL(name, directory), types[endingOf(name)] as string),
  ]),
)

/** The path of a file with the digest of its content: `/assets/latchkey.A-16-char-digest.css`. */
export const assetPath = (name: string) => {
  const ending = endingOf(name)
  return `/assets/${name.slice(0, -ending.length)}${assets.get(name)?.digest}.${ending}`
}

/** The stylesheet of an accent. @param accent `#rrggbb`; null: the pages have their own */
export const accentPath = (accent: string | null) =>
  accent && `/assets/accent/${accent.slice(1).toLowerCase()}.css`
