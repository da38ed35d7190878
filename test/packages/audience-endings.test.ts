// Nightly, and when packages/ or src/door changes: it needs Go, and packages of Python.
/** A person leaves the group of an install: Express, FastAPI, Go and the door refuse the token, and take it again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { readDoorConfig } from '../../src/config/door.ts'
import { createDoor } from '../../src/door/door.ts'
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled, whereFound } from '../support/installed.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { createPythonEnvironment } from '../support/python-environment.ts'
import {
  type ResourceServer,
  readFeed,
  registerResourceServer,
} from '../support/resource-server.ts'
import { connectProvider, patchOf } from '../support/scim.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createApp, install } from '../support/world.ts'
import { addressOf, frameworks } from './verify/frameworks.ts'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))
/** Milliseconds, from the moment at which the feed names the person. */
const soon = 2000

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Sends the token to a data API. @returns the status of the answer; 0 before it listens */
type Send = (token: string) => Promise<number>

const sender =
  (url: string, method = 'GET'): Send =>
  async (token) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(url, { method, headers }).catch(() => null)
    await response?.arrayBuffer()
    return response?.status ?? 0
  }

const python = await createPythonEnvironment(t, `${packages}/python[fastapi]`, 'uvicorn')
const canBuild = isInstalled('go', 'version')
const skip = { ...whereFound(canBuild, 'Go'), ...(python.skip && { skip: python.skip }) }

/** Starts a program that listens at `PORT`, and ends it with the test. */
const start = (command: string, args: string[], cwd: string, env: Record<string, string>) => {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill()
    await ended
  })
}

/** The sample of the README for FastAPI. */
const startFastApi = async (env: Record<string, string>, workspace: string): Promise<Send> => {
  const directory = await temporaryDirectory('fastapi')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const readme = await readFile(join(packages, 'python/README.md'), 'utf8')
  const sample = /## FastAPI[\s\S]*?```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  await writeFile(join(directory, 'main.py'), sample)
  const port = String(await freePort())
  start(String(python.python), ['-m', 'uvicorn', 'main:app', '--port', port], directory, env)
  return sender(`http://127.0.0.1:${port}/workspaces/${workspace}/records`, 'POST')
}

/** The example of the Go module. */
const startGo = async (env: Record<string, string>, workspace: string): Promise<Send> => {
  const directory = await temporaryDirectory('go-example')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const program = join(directory, 'data-api')
  const build = spawn('go', ['build', '-o', program, './example'], {
    cwd: join(packages, 'go'),
    stdio: 'inherit',
  })
  await once(build, 'exit')
  const port = String(await freePort())
  start(program, [], directory, { ...env, PORT: port })
  return sender(`http://127.0.0.1:${port}/workspaces/${workspace}/records`, 'POST')
}

const startExpress = async (issuer: string, { clientId, clientSecret }: ResourceServer) => {
  const express = frameworks.find(({ name }) => name === 'express')
  const resourceServer = { clientId, clientSecret }
  const verifier = createVerifier({ issuer, audience: issuer, resourceServer, log: false })
  const server = await express!.start({ verifier })
  t.teardown(async () => {
    server.close()
    await verifier.close()
  })
  return sender(`${addressOf(server)}/any`)
}

const startDoor = async (env: Record<string, string>): Promise<Send> => {
  const settings = readDoorConfig({
    ISSUER: env.ISSUER,
    RESOURCE_SERVER_ID: env.RS_ID,
    RESOURCE_SERVER_SECRET: env.RS_SECRET,
    SHUTDOWN_DRAIN_MS: '0',
  })
  const door = createDoor({ ...settings, port: 0 }, quiet)
  t.teardown(() => door.close())
  return sender(`http://127.0.0.1:${await door.listen()}/check?interface=current`)
}

const startAll = async ({ issuer, world }: Scene, api: ResourceServer) => {
  const env = {
    ISSUER: issuer,
    AUDIENCE: issuer,
    RS_ID: api.clientId,
    RS_SECRET: api.clientSecret,
  }
  return new Map<string, Send>([
    ['Express', await startExpress(issuer, api)],
    ['FastAPI', await startFastApi(env, world.sales)],
    ['Go', await startGo(env, world.sales)],
    ['the door', await startDoor(env)],
  ])
}

if (!skip.skip)
  await onEachBackend('a person leaves the group of an install', async (t, scene) => {
    const { running, issuer, world } = scene
    const { acme, ana } = world
    const api = await registerResourceServer(running)
    const scim = await connectProvider(running, acme, 'groups')
    const members = [{ value: ana.id }]
    const { id } = (await scim.call('POST', '/Groups', { displayName: 'Inside', members })).body
    const app = await createApp(running, { name: 'Reports' })
    await install(running, acme, app)
    const installed = `/organizations/${acme}/installs/${app.client_id}`
    await running.operator('PATCH', installed, { audience: { groups: [id] } })
    const code = await currentCode(running, app, ana, { organization_id: acme })
    const token: string = (await exchangeCode(issuer, app, code)).body.access_token
    const all = await startAll(scene, api)

    const change = (op: 'add' | 'remove') =>
      scim.call('PATCH', `/Groups/${id}`, patchOf({ op, path: 'members', value: members }))
    const deny = (method: 'PUT' | 'DELETE') =>
      running.operator(method, `${installed}/denied/${ana.id}`)

    /** Every data API answers with this status soon after the feed names the change. */
    const follows = async (status: number, what: string, act: () => Promise<unknown>) => {
      const { cursor } = await readFeed(issuer, api)
      const named = readFeed(issuer, api, cursor, 25).then(() => performance.now())
      const began = performance.now()
      await act()
      const reached = await Promise.all(
        [...all].map(async ([name, send]) => {
          await eventually(async () => (await send(token)) === status)
          return { name, at: performance.now() }
        }),
      )
      const from = await named
      for (const { name, at } of reached) {
        t.comment(`${what}: ${name} ${status} after ${Math.round(at - began)} ms`)
        t.ok(at - from <= soon, `${what}: ${name}`)
      }
    }

    for (const [name, send] of all) {
      await eventually(async () => (await send(token)) !== 0)
      t.equal(await send(token), 200, name)
    }
    await follows(401, 'removed from the group', () => change('remove'))
    await follows(200, 'back in the group', () => change('add'))
    await follows(401, 'denied', () => deny('PUT'))
    await deny('DELETE')
    for (const [name, send] of all) t.equal(await send(token), 401, `for good: ${name}`)
  })
