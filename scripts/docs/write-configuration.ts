import { writeFileSync } from 'node:fs'
import { configurationPage } from './configuration.ts'

writeFileSync('docs/configuration.md', configurationPage())
