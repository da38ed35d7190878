#!/usr/bin/env node
import { createLatchkey } from './app.ts'
import { readConfig } from './config.ts'
import { createLogger } from './log.ts'

const config = readConfig(process.env)
const app = await createLatchkey(config, createLogger(config.logLevel))
console.log(await app.listen(), app.operatorToken)
