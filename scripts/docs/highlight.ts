import highlight from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
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
  go,
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
 * Code as HTML, coloured only by classes.
 * @param language as named by the fence; empty: without colours
 * @throws Error for an unknown language
 */
export const highlighted = (code: string, language: string): string => {
  if (language === '') return escaped(code)
  if (!highlight.getLanguage(language))
    throw new Error(`unknown language of a code fence: ${language}`)
  return highlight.highlight(code, { language }).value
}
