import { withoutHidden } from '../../core/language/display-text.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)

const isExact = (value: unknown): value is { exact: unknown } =>
  typeof value === 'object' && value !== null && 'exact' in value

/**
 * Escapes the value of `<%= %>` in a view and removes characters that hide in names. Names stored by older versions may
 * still contain them. A value that the page only carries, such as `state`, is written as `<%= { exact: value } %>` and
 * keeps every character.
 */
export const escapeHtml = (value: unknown): string =>
  isExact(value) ? escaped(String(value.exact)) : escaped(withoutHidden(String(value)))
