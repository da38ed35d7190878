import { Renderer, type Tokens } from 'marked'
import { documentation } from '../../src/words/en/documentation.ts'
import type { Document, Heading } from './document.ts'
import { type Example, languageNames } from './examples.ts'
import { highlighted } from './highlight.ts'
import { escaped } from './html.ts'
import { imageAddress, type Resolve } from './links.ts'

const text = documentation.documentation

/** HTML that a text may contain: pictures and their alignment. */
const allowedHtml = /^(?:<\/?(?:p|picture|source|img)(?: [a-z-]+="[^"<>]*")*>\s*)*$/
const allowedAttributes =
  /(?<= )(?!(?:align|media|srcset|src|width|height|alt|loading)=)[a-z-]+(?==")/

/**
 * Renders Markdown to HTML that fits the policy of our pages: no inline style or script. Wide content scrolls by
 * itself.
 */
export class PageRenderer extends Renderer {
  readonly #path: string
  readonly #resolve: Resolve
  /** The headings that are not rendered yet. */
  readonly #headings: Heading[]
  #heading = ''
  #tables = new Map<string, number>()
  #examples = 0

  constructor({ source, headings }: Document, resolve: Resolve) {
    super()
    this.#path = source.path
    this.#headings = [...headings]
    this.#resolve = resolve
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const { anchor, text: words } = this.#headings.shift() as Heading
    this.#heading = words
    const name = `h${depth}`
    const content = this.parser.parseInline(tokens)
    if (depth === 1) return `<h1 id="${anchor}">${content}</h1>\n`
    return (
      `<div class="heading"><${name} id="${anchor}">${content}</${name}>` +
      `<a href="#${anchor}"><span aria-hidden="true">#</span>` +
      `<span class="unseen">${escaped(text.linkTo(words))}</span></a></div>\n`
    )
  }

  override link({ href, tokens }: Tokens.Link): string {
    const content = this.parser.parseInline(tokens)
    const target = this.#resolve(href)
    if (target.kind !== 'file') return `<a href="${escaped(target.href)}">${content}</a>`
    // The server does not have the file. Readers with the sources find it by its path.
    const path = `<code>${escaped(target.path)}</code>`
    return content.includes(target.path) ? content : `${content} (${path})`
  }

  override codespan({ text: code }: Tokens.Codespan): string {
    return `<code>${escaped(code)}</code>`
  }

  override code({ text: code, lang = '' }: Tokens.Code): string {
    return `<div class="sample">${this.#listing(code, lang)}</div>\n`
  }

  /** Fences of one example: radio buttons choose between them, with CSS alone. */
  example({ fences }: Example): string {
    this.#examples++
    const choice = (lang: string, at: number) =>
      `<label><input type="radio" name="example-${this.#examples}" value="${lang}"${at === 0 ? ' checked' : ''}>` +
      `<span>${languageNames[lang]}</span></label>`
    const sample = ({ text: code, lang = '' }: Tokens.Code) =>
      `<div class="sample" data-language="${lang}">` +
      `<p class="language">${languageNames[lang]}</p>${this.#listing(code, lang)}</div>`
    return (
      `<div class="example"><fieldset><legend class="unseen">${text.language}</legend>` +
      `${fences.map(({ lang = '' }, at) => choice(lang, at)).join('')}</fieldset>` +
      `${fences.map(sample).join('')}</div>\n`
    )
  }

  override table({ header, rows }: Tokens.Table): string {
    const head = header.some(({ text: words }) => words !== '')
      ? `<thead><tr>${header.map((cell) => this.#cell(cell, cell.text === '' ? 'td' : 'th')).join('')}</tr></thead>`
      : ''
    const body = rows.map((row) => `<tr>${row.map((cell) => this.#cell(cell, 'td')).join('')}</tr>`)
    return (
      `<div class="table" role="region" tabindex="0" aria-label="${escaped(this.#tableName())}">` +
      `<table>${head}<tbody>${body.join('\n')}</tbody></table></div>\n`
    )
  }

  override html({ text: html }: Tokens.HTML | Tokens.Tag): string {
    if (!allowedHtml.test(html) || allowedAttributes.test(html))
      throw new Error(`${this.#path} has HTML that is not allowed: ${html}`)
    return html.replace(/(?<= (?:src|srcset)=")[^"]+/g, (address) =>
      imageAddress(this.#path, address),
    )
  }

  #listing(code: string, lang: string) {
    return `<pre tabindex="0"><code>${highlighted(code, lang)}\n</code></pre>`
  }

  #cell({ tokens }: Tokens.TableCell, name: 'td' | 'th') {
    return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
  }

  /** Landmarks need unique names. */
  #tableName() {
    const count = (this.#tables.get(this.#heading) ?? 0) + 1
    this.#tables.set(this.#heading, count)
    return text.table(count === 1 ? this.#heading : `${this.#heading} (${count})`)
  }
}
