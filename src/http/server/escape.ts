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
 * What `<%= %>` of a view writes: without characters that hide in a name, whenever it was stored. What a page only
 * carries, such as `state`, is written `<%= { exact: value } %>` and stays as it came.
 */
export const escapeHtml = (value: unknown): string =>
  isExact(value) ? escaped(String(value.exact)) : escaped(withoutHidden(String(value)))
