// What an SVG must not contain before it is drawn. Being strict costs an app its logo, and nothing else.

const mostBytes = 256 * 1024
const mostTags = 5000
const deepest = 64

const hidden: readonly RegExp[] = [
  /<!/, // document types with entities, and CDATA, which could hide markup
  /<\?/, // processing instructions, such as stylesheets
  /&(?!(?:amp|lt|gt|quot|apos);)/, // characters by number, which could hide a word below
  /\\/, // escapes of CSS
]

const active: readonly RegExp[] = [
  /<[\w.-]*:?(?:script|foreignObject|image|feImage|include|iframe|object|embed|audio|video|handler)\b/i,
  /\son\w+\s*=/i,
  /href(?!\s*=\s*["']\s*#)/i, // only parts of this document
  /url\s*\((?!\s*["']?\s*#)/i,
  /@import|xml:base/i,
]

const depthOf = (text: string): { tags: number; depth: number } => {
  let [tags, depth, most] = [0, 0, 0]
  // No `<` in a tag: many of them without a `>` would take quadratic time.
  for (const [tag] of text.matchAll(/<[^<>]*>/g)) {
    tags += 1
    if (tag.startsWith('</')) depth -= 1
    else if (!tag.endsWith('/>')) depth += 1
    most = Math.max(most, depth)
  }
  return { tags, depth: most }
}

const textOf = (image: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(image)
  } catch {
    return null
  }
}

/** Is this a small SVG of shapes and text: one document, without entities, scripts, images and addresses? */
export const isPlainSvg = (image: Buffer): boolean => {
  if (image.length > mostBytes) return false
  const text = textOf(image)
    ?.replace(/^\s*<\?xml [^?<>]*\?>/, '')
    .replace(/<!--(?:(?!--)[\s\S])*-->/g, '')
  if (text === undefined || !/^\s*<(?:svg:)?svg\b/.test(text)) return false
  if ([...hidden, ...active].some((pattern) => pattern.test(text))) return false
  const { tags, depth } = depthOf(text)
  return tags <= mostTags && depth <= deepest
}
