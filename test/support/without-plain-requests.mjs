/**
 * For a server process that runs from its sources: no request is plain, so oidc-provider validates each. NODE_OPTIONS names
 * this file after `typescript/register.mjs`.
 */
import * as nodeModule from 'node:module'
import { isMainThread } from 'node:worker_threads'

const file = '/engine/plain-request.ts'

/** @see https://nodejs.org/docs/latest-v20.x/api/module.html#loadurl-context-nextload */
export const load = (url, context, nextLoad) =>
  url.endsWith(file)
    ? {
        format: 'module',
        source: `console.error('no request is plain'); export const plainParameters = () => null`,
        shortCircuit: true,
      }
    : nextLoad(url, context)

if (nodeModule.registerHooks) nodeModule.registerHooks({ load })
else if (isMainThread) nodeModule.register(import.meta.url)
