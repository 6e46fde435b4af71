import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MIGRATED_CHANNEL } from '../../../api/db/migrate.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { startApi } from '../../../scripts/stack/api-process.ts'
import { nodeOptionsOf } from '../../../scripts/stack/node-options.mjs'
import type { Program } from '../../../settings/table.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

/** The chain that the node serves, on which nothing is deployed; null: it gives no answer. */
let servedChain: number | null = null
const node = createServer(async (request: IncomingMessage, response) => {
  if (servedChain === null) return request.socket.destroy()
  const { id, method } = JSON.parse(await text(request))
  const result = method === 'eth_chainId' ? `0x${servedChain.toString(16)}` : '0x'
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
const nodePort = () => (node.address() as AddressInfo).port

let rows: TestApi
let directory: string
beforeAll(async () => {
  rows = await startTestApi()
  const blockTimestamp = BigInt(Math.floor(Date.now() / 1000))
  await rows.sql`insert into indexed_head ${rows.sql({ blockNumber: 1n, blockTimestamp, checkpoint: '' })}`
  directory = await mkdtemp(join(tmpdir(), 'task-market-process-end-'))
  await writeFile(join(directory, 'deployment.json'), JSON.stringify(rows.deps.deployment))
  await writeFile(join(directory, 'foreign.json'), JSON.stringify({ ...rows.deps.deployment, local: false }))
  await new Promise<void>((resolve) => {
    node.listen(0, '127.0.0.1', resolve)
  })
})
afterAll(async () => {
  node.close()
  await rows.stop()
  await rm(directory, { recursive: true })
})

test('given a start without a node, when one of another chain answers, then the process ends in order with the reason', async () => {
  const api = await startApi({
    port: await findFreePort(),
    databaseUrl: rows.deps.config.DATABASE_URL,
    rpcUrl: `http://127.0.0.1:${nodePort()}`,
    deploymentFile: join(directory, 'deployment.json'),
    relayerKeys: [`0x${'1'.repeat(64)}`],
    artifactDirectory: directory,
    urlSigningSecret: 'a secret of the tests, long enough',
    logFile: join(directory, 'api.log'),
    environment: { STORAGE_RESERVE_BYTES: '0' },
  })
  try {
    expect((await fetch(`${api.url}/api/tasks`)).status).toBe(200)
    servedChain = 1
    expect(await api.child.ended).toEqual({ description: 'code 1' })
  } finally {
    await api.stop()
  }
  const lines = api.child
    .readLog()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ level }) => level === 60)).toMatchObject([
    {
      msg: 'the service cannot continue',
      err: { message: `RPC_URL: leads to chain 1, and the contracts are on chain ${localNetwork.chainId}` },
    },
  ])
  expect(lines.at(-1)).toMatchObject({ msg: 'ended' })
})

test.each<[string, () => Promise<unknown>, () => Promise<unknown>, RegExp]>([
  [
    'the rows of a newer release are served',
    () => rows.sql`update indexed_head set oldest_version = 99`,
    () => rows.sql`update indexed_head set oldest_version = 1`,
    /the rows of idx_0+ need 99 or newer: start a release of that version/,
  ],
  [
    'a newer release raises the version of the tables',
    async () => {
      await rows.sql`insert into service.migrations (name, sha256, oldest_version) values ('0900.sql', '', 99)`
      await rows.sql.notify(MIGRATED_CHANNEL, '')
    },
    () => rows.sql`delete from service.migrations where name = '0900.sql'`,
    /migration 0900\.sql/,
  ],
])('given a service, when %s, then it ends with the versions', async (_, change, restore, reason) => {
  let end: (reason: Error) => void = () => {}
  const ended = new Promise<Error>((resolve) => {
    end = resolve
  })
  // Nothing is relayed.
  const chainGate = { isOpen: () => false, tryOpen: async () => {} }
  const loops = await startLoops({ ...rows.deps, chainGate, end }, [])
  try {
    await change()
    await rows.deps.indexedHead.refresh()
    expect((await ended).message).toMatch(reason)
  } finally {
    await loops.stop()
    await restore()
    await rows.deps.indexedHead.refresh()
  }
})

const right = (): Record<string, string> => ({
  DATABASE_URL: rows.deps.config.DATABASE_URL,
  READER_DATABASE_URL: rows.deps.config.DATABASE_URL,
  RPC_URL: `http://127.0.0.1:${nodePort()}`,
  RELAYER_KEYS: `0x${'1'.repeat(64)}`,
  URL_SIGNING_SECRET: 'a secret of the tests, long enough',
  DEPLOYMENT_FILE: join(directory, 'deployment.json'),
  ARTIFACT_DIR: directory,
  PORT: '0',
})

/** Runs a program, with the options that units give it, until it ends. */
async function run(program: Program, environment: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  const NODE_COMPILE_CACHE = join(repositoryRoot, 'node_modules', '.cache', 'api')
  const child = spawn(process.execPath, [...nodeOptionsOf(program), `scripts/${program}.ts`], {
    cwd: repositoryRoot,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, problems, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => {
      child.once('exit', resolve)
    }),
  ])
  return {
    lines: output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    problems,
    code,
  }
}

describe('a wrong start', () => {
  beforeAll(() => {
    servedChain = localNetwork.chainId
  })

  test.each<[string, Program, () => Record<string, string>, string, RegExp]>([
    ['no database', 'indexer', () => ({ DATABASE_URL: '' }), 'DATABASE_URL', /is needed/],
    ['a misspelt name', 'standby-keeper', () => ({ STANDBY_DATABSE_URL: 'x' }), 'STANDBY_DATABASE_URL', /is needed/],
    ['a file that is not there', 'graphql', () => ({ DEPLOYMENT_FILE: '/missing.json' }), 'DEPLOYMENT_FILE', /ENOENT/],
    [
      'another database',
      'api',
      () => ({ DATABASE_URL: new URL('/missing', rows.deps.config.DATABASE_URL).href }),
      'DATABASE_URL',
      /database "missing" does not exist/,
    ],
    [
      'constants of a local chain for another',
      'api',
      () => ({ DEPLOYMENT_FILE: join(directory, 'foreign.json'), LOCAL_CONSTANTS: '{}' }),
      'LOCAL_CONSTANTS',
      /^is only for a chain of this machine/,
    ],
    ['no contract', 'api', () => ({}), 'DEPLOYMENT_FILE', /answers nothing to \w+: it is not deployed on this chain/],
  ])('given %s, then %s ends with 1 and a line that names the setting', async (_, program, wrong, setting, problem) => {
    const { lines, problems, code } = await run(program, { ...right(), ...wrong() })
    expect(code).toBe(1)
    expect(problems).toBe('')
    expect(lines.filter(({ level }) => level === 60)).toEqual([
      expect.objectContaining({ program, setting, problem: expect.stringMatching(problem), msg: 'start refused' }),
    ])
  })

  test('given a port in use, then the line names it', async () => {
    const { lines, code } = await run('web', { ...right(), WEB_PORT: String(nodePort()) })
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatchObject({ setting: 'WEB_PORT', problem: expect.stringContaining('EADDRINUSE') })
  })
})
