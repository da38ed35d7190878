import { type Child, startChild } from './child.ts'

/** The servers under test, with the settings that distinguish those of one kind. */
export const contenders = [
  { name: 'floor', script: 'floor', env: {} },
  { name: 'floor without SQL', script: 'floor', env: { FLOOR_SQL: '0' } },
  { name: 'ours', script: 'ours', env: {} },
  { name: 'oidc-provider', script: 'oidc-provider', env: {} },
  { name: '@node-oauth/oauth2-server', script: 'node-oauth', env: {} },
  { name: '@jmondi/oauth2-server, tuned', script: 'jmondi', env: {} },
] as const
export type Contender = (typeof contenders)[number]['name']

export interface Running {
  name: Contender
  child: Child
}

/** Adds the separate process that prepares the requests for our server. */
const withRequests = async (server: Child, env: NodeJS.ProcessEnv): Promise<Child> => {
  const maker = await startChild('ours-requests', { ...env, BENCH_PORT: String(server.port) })
  const stop = async () => {
    await maker.stop()
    await server.stop()
  }
  return { ...server, prepare: maker.prepare, stop }
}

/**
 * Starts servers one after the other, each in a separate process.
 * @param env environment with the addresses of the stores
 * @param only names of servers; empty: all
 * @param execArgv options of Node
 */
export const startContenders = async (
  env: NodeJS.ProcessEnv,
  only: readonly string[],
  execArgv: string[] = [],
): Promise<Running[]> => {
  const running: Running[] = []
  for (const { name, script, env: own } of contenders) {
    if (only.length > 0 && !only.includes(name)) continue
    const child = await startChild(script, { ...env, ...own }, execArgv)
    running.push({ name, child: name === 'ours' ? await withRequests(child, env) : child })
  }
  return running
}
