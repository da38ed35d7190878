import highlight from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { escaped } from './html.ts'

const languages = {
  sh: bash,
  http,
  js: javascript,
  json,
  python,
  sql,
  ts: typescript,
  html: xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) highlight.registerLanguage(name, language)

/**
 * Code as HTML, coloured by classes alone.
 * @param language as the fence names it; empty: as it is
 * @throws Error for a language that is not known
 */
export const highlighted = (code: string, language: string): string => {
  if (language === '') return escaped(code)
  if (!highlight.getLanguage(language)) throw new Error(`a code fence of unknown kind: ${language}`)
  return highlight.highlight(code, { language }).value
}
