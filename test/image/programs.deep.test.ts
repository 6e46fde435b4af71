import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { createSeedClient } from '../../scripts/seed/seed-client.ts'
import type { Program } from '../../settings/table.ts'
import { createCleanups } from '../support/cleanups.ts'
import { kubernetesEnvironment, systemdEnvironment } from '../support/server-environments.ts'
import { buildImage, bytesBelow, deleteImage, type Image } from './build-image.ts'
import { installPackages } from './install-packages.ts'
import { countKeepers, type Market, prepareMarket } from './market.ts'
import { type RunningProgram, startInImage } from './start-in-image.ts'
import { readUnit } from './unit-file.ts'

const cleanups = createCleanups()
const servers = ['indexer', 'api', 'graphql', 'web', 'standby-keeper'] as const
/** Of the users that systemd makes for `DynamicUser=`. */
const DYNAMIC_UID = 61_184
const DEPLOYMENT = '/run/task-market/deployment.json'

let image: Image
let market: Market
let ports: Record<'indexer' | 'api' | 'graphql' | 'web' | 'metrics' | 'proxy' | 'artifacts', number>

beforeAll(async () => {
  installPackages()
  image = buildImage()
  cleanups.defer(deleteImage)
  market = await prepareMarket(cleanups)
  const free = async () => await findFreePort()
  ports = {
    indexer: await free(),
    api: await free(),
    graphql: await free(),
    web: await free(),
    metrics: await free(),
    proxy: await free(),
    artifacts: await free(),
  }
}, 1_200_000)
afterAll(() => cleanups.run(), 600_000)

/** The settings of a machine, which all programs may share. */
function settingsOf(): Record<string, string> {
  const { indexer, api, graphql, web, metrics, proxy, artifacts } = ports
  return {
    DEPLOYMENT_FILE: DEPLOYMENT,
    LOCAL_CHAIN: '1',
    HOST: '127.0.0.1',
    PORT: String(api),
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: String(metrics),
    PUBLIC_BASE_URL: `http://127.0.0.1:${proxy}`,
    ARTIFACT_BASE_URL: `http://127.0.0.1:${artifacts}`,
    TRUSTED_PROXIES: '127.0.0.1',
    INDEXER_HOST: '127.0.0.1',
    INDEXER_PORT: String(indexer),
    GRAPHQL_HOST: '127.0.0.1',
    GRAPHQL_PORT: String(graphql),
    // A test asks until the row is there.
    GRAPHQL_REQUESTS_PER_MINUTE: '60000',
    API_URL: `http://127.0.0.1:${api}`,
    WEB_HOST: '127.0.0.1',
    WEB_PORT: String(web),
    // The server of the tests has no socket.
    STANDBY_DATABASE_URL: market.standby.url,
  }
}

/** Secrets of each program in compose.yaml, by setting: a file below `/run/secrets`. */
const secretsInImage: Record<Exclude<Program, 'relayer'>, Record<string, string>> = {
  api: {
    DATABASE_URL: 'api-database-url',
    READER_DATABASE_URL: 'reader-database-url',
    RPC_URL: 'rpc-url',
    RELAYER_KEYS: 'relayer-keys',
    URL_SIGNING_SECRET: 'url-signing-secret',
    DEVICE_KEY_SECRET: 'device-key-secret',
  },
  indexer: { DATABASE_URL: 'indexer-database-url', RPC_URL: 'rpc-url' },
  graphql: { READER_DATABASE_URL: 'reader-database-url' },
  export: { EXPORTER_DATABASE_URL: 'exporter-database-url', RPC_URL: 'rpc-url' },
  'standby-keeper': {},
  web: {},
}

/** As a pod of Kubernetes runs the image. */
function startPod(program: keyof typeof secretsInImage, args: string[] = []): Promise<RunningProgram> {
  const uid = Number(image.user.split(':')[0])
  const secrets = secretsInImage[program]
  const files = Object.values(secrets).map(
    (name) => [`/run/secrets/${name}`, file(join(market.secrets, name))] as const,
  )
  return startInImage({
    name: `image ${program}`,
    root: image.root,
    command: [...image.command, program, ...args],
    workingDirectory: image.workingDirectory,
    environment: {
      ...kubernetesEnvironment,
      ...image.environment,
      ...settingsOf(),
      ...Object.fromEntries(Object.entries(secrets).map(([name, path]) => [`${name}_FILE`, `/run/secrets/${path}`])),
    },
    uid,
    memory: ['/var/cache/task-market', '/tmp'],
    binds: {
      [DEPLOYMENT]: file(market.deploymentFile),
      '/var/lib/task-market': { path: market.directoryOf('files', uid), isWritten: true },
      '/srv/exports': { path: market.directoryOf('exports', uid), isWritten: true },
      ...Object.fromEntries(files),
    },
    logFile: market.logFileOf(`image-${program}`),
  })
}

/** As systemd runs the unit on the files of the image, which are `npm ci --omit=dev` and the source. */
function startUnit(program: Program): Promise<RunningProgram> {
  const unit = readUnit(program)
  const credentials = Object.entries(unit.credentials).map(
    ([name, path]) => [join(unit.credentialsDirectory, name), file(join(market.secrets, path))] as const,
  )
  return startInImage({
    name: `unit ${program}`,
    root: image.root,
    command: unit.command,
    workingDirectory: unit.workingDirectory,
    environment: {
      ...systemdEnvironment,
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
      ...unit.environment,
      CREDENTIALS_DIRECTORY: unit.credentialsDirectory,
      ...settingsOf(),
    },
    uid: DYNAMIC_UID,
    memory: [unit.runtimeDirectory, '/tmp'],
    binds: {
      [DEPLOYMENT]: file(market.deploymentFile),
      ...(unit.stateDirectory !== null && {
        [unit.stateDirectory]: { path: market.directoryOf(unit.name, DYNAMIC_UID), isWritten: true },
      }),
      ...Object.fromEntries(credentials),
    },
    logFile: market.logFileOf(`unit-${program}`),
  })
}

function file(path: string) {
  return { path, isWritten: false }
}

/** Caddy with the configuration of compose.yaml. */
async function startProxy(): Promise<Child> {
  const child = await startChild({
    name: 'caddy',
    command: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', join(repositoryRoot, 'ops', 'container', 'Caddyfile')],
    env: {
      PATH: process.env.PATH,
      HOME: market.directoryOf('caddy', 0),
      CADDY_ADMIN: `127.0.0.1:${await findFreePort()}`,
      MARKET_ADDRESS: `http://127.0.0.1:${ports.proxy}`,
      ARTIFACTS_ADDRESS: `http://127.0.0.1:${ports.artifacts}`,
      API_UPSTREAM: `127.0.0.1:${ports.api}`,
      GRAPHQL_UPSTREAM: `127.0.0.1:${ports.graphql}`,
    },
    logFile: market.logFileOf('caddy'),
    stopSignal: 'SIGTERM',
  })
  await waitUntilReady(child, () => answers(`http://127.0.0.1:${ports.artifacts}/`, 404))
  return child
}

async function answers(url: string, expected = 200): Promise<true | null> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status === expected ? true : null
  } catch {
    return null
  }
}

const local = (port: number, path: string) => `http://127.0.0.1:${port}${path}`

/** Starts all servers at once, and waits until each is ready. */
async function startAll(start: (program: (typeof servers)[number]) => Promise<RunningProgram>) {
  const running = await Promise.all(servers.map(async (program) => [program, await start(program)] as const))
  const programs = Object.fromEntries(running) as Record<(typeof servers)[number], RunningProgram>
  for (const { child } of Object.values(programs)) cleanups.defer(child.stop)
  const ready = (program: (typeof servers)[number], url: string) =>
    waitUntilReady(programs[program].child, () => answers(url))
  await ready('indexer', local(ports.indexer, '/ready'))
  await ready('api', local(ports.api, '/ready'))
  await ready('graphql', local(ports.graphql, '/health'))
  await ready('web', local(ports.web, '/'))
  await waitUntilReady(programs['standby-keeper'].child, async () => ((await countKeepers(market)) > 0 ? true : null))
  return programs
}

async function endAll(programs: Record<(typeof servers)[number], RunningProgram>) {
  return await Promise.all(Object.entries(programs).map(async ([program, { end }]) => [program, await end()]))
}

const endedWell = servers.map((program) => [program, 'code 0'])

/** Creates a task through the proxy. @returns its id */
async function createTask(step: string): Promise<string> {
  const client = createSeedClient({ baseUrl: local(ports.proxy, ''), name: 'image' })
  return await client.createTask('requester', step, {
    description: `A task of ${step}`,
    reward: '1000000',
    mode: 'bounty',
  })
}

async function readGraphql(taskId: string): Promise<unknown> {
  const query = `{ task(id: "${taskId}") { id status } }`
  const response = await fetch(local(ports.proxy, '/graphql'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return await response.json()
}

test('the image is small, has no developer’s packages, and is of a user without rights', () => {
  const packages = bytesBelow(join(image.root, image.workingDirectory, 'node_modules'))
  const all = bytesBelow(image.root)
  console.log(`node_modules ${toMegabytes(packages)} MB, the image ${toMegabytes(all)} MB`)
  expect(packages).toBeLessThan(350e6)
  expect(all).toBeLessThan(650e6)
  expect(image.user).toBe('1000:1000')
})

describe('the image in an environment of Kubernetes, behind the proxy', () => {
  let programs: Awaited<ReturnType<typeof startAll>>
  beforeAll(async () => {
    programs = await startAll((program) => startPod(program))
    const proxy = await startProxy()
    cleanups.defer(proxy.stop)
  }, 300_000)

  test('a paid write is completed, its event comes by the stream without a buffer, and GraphQL has it', async () => {
    const events = await fetch(local(ports.proxy, '/api/events'), { headers: { Accept: 'text/event-stream' } })
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) throw new Error('there is no stream')
    const taskId = await createTask('the image')
    let text = ''
    while (!text.includes(taskId)) text += (await reader.read()).value ?? ''
    expect(text).toContain('event: task.created')
    await reader.cancel()
    await expect.poll(() => readGraphql(taskId)).toEqual({ data: { task: { id: taskId, status: expect.anything() } } })
    expect(await answers(local(ports.web, `/tasks/${taskId}`))).toBe(true)
  })

  test('a file is submitted through the proxy, and only files have the other name', async () => {
    const client = createSeedClient({ baseUrl: local(ports.proxy, ''), name: 'image' })
    const taskId = await client.createTask('requester', 'files', {
      description: 'Files',
      reward: '1000000',
      mode: 'bounty',
    })
    // Above what proxies take by default.
    await client.submit('alice', 'a large file', { taskId, fileName: 'large.md', text: 'x'.repeat(20e6) })
    expect(await answers(local(ports.artifacts, '/api/health'), 404)).toBe(true)
    const answer = await fetch(local(ports.artifacts, '/api/artifacts/unknown'))
    expect(answer.headers.get('content-type')).toContain('application/json')
  })

  test('metrics have their own port, and a client’s X-Forwarded-For counts nothing', async () => {
    expect(await answers(local(ports.metrics, '/metrics'))).toBe(true)
    expect(await answers(local(ports.proxy, '/metrics'))).toBeNull()
    await (
      await fetch(local(ports.proxy, '/api/tasks?tags=forwarded'), { headers: { 'X-Forwarded-For': '8.8.8.8' } })
    ).text()
    const clients = [...programs.api.child.readLog().matchAll(/"client":"(\w+)"/g)].map(([, client]) => client)
    expect(new Set(clients)).toEqual(new Set(['loopback']))
  })

  test('an export is published when its block is final', async () => {
    const run = await startPod('export', ['--to', '/srv/exports'])
    cleanups.defer(run.child.stop)
    const isFinished = async () => {
      await market.anvil.request('anvil_mine', ['0x20'])
      // A failure shows its log.
      return run.child.findEnd() === null ? null : `${run.child.findEnd()?.description} ${run.child.readLog()}`
    }
    await expect.poll(isFinished).toMatch(/^code 0/)
  })

  test('no program was told of a name that it does not have, none wrote into its root, and SIGTERM ends each with 0', async () => {
    for (const { child } of Object.values(programs)) {
      expect(child.readLog()).not.toContain('unknown environment variables')
      expect(child.readLog()).not.toMatch(/EROFS|EACCES|EPERM/)
    }
    const peaks = Object.entries(programs).map(([name, { peakBytes }]) => `${name} ${toMegabytes(peakBytes())} MB`)
    console.log(`peaks of memory: ${peaks.join(', ')}`)
    expect(await endAll(programs)).toEqual(endedWell)
  })
})

describe('the commands of the units in an environment of systemd', () => {
  test('all start on the same database, a write is completed, memory is below the bounds, and SIGTERM ends each with 0', async () => {
    const programs = await startAll(startUnit)
    const taskId = await createTask('the units')
    await expect.poll(() => readGraphql(taskId)).toEqual({ data: { task: { id: taskId, status: expect.anything() } } })
    for (const [name, { child, peakBytes }] of Object.entries(programs)) {
      expect([name, peakBytes()]).toEqual([
        name,
        expect.toSatisfy((peak) => peak < readUnit(name as Program).memoryMax),
      ])
      expect(child.readLog()).not.toMatch(/EROFS|EACCES|EPERM|unknown environment variables/)
    }
    expect(await endAll(programs)).toEqual(endedWell)
  }, 300_000)

  test('an export starts with its command', async () => {
    const run = await startUnit('export')
    cleanups.defer(run.child.stop)
    const isFinished = async () => {
      await market.anvil.request('anvil_mine', ['0x20'])
      // A failure shows its log.
      return run.child.findEnd() === null ? null : `${run.child.findEnd()?.description} ${run.child.readLog()}`
    }
    await expect.poll(isFinished).toMatch(/^code 0/)
  })
})

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}
