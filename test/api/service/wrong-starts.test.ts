import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { nodeOptionsOf } from '../../../scripts/stack/node-options.mjs'
import type { Program } from '../../../settings/table.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

/** A node of the right chain on which nothing is deployed. */
const node = createServer(async (request: IncomingMessage, response) => {
  const { id, method } = JSON.parse(await text(request))
  const result = method === 'eth_chainId' ? `0x${localNetwork.chainId.toString(16)}` : '0x'
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
const directory = mkdtempSync(join(tmpdir(), 'task-market-starts-'))
let rows: TestApi

const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  rows = await startTestApi()
  writeFileSync(join(directory, 'deployment.json'), JSON.stringify(rows.deps.deployment))
  writeFileSync(join(directory, 'foreign.json'), JSON.stringify({ ...rows.deps.deployment, local: false }))
  await new Promise<void>((resolve) => {
    node.listen(0, '127.0.0.1', resolve)
  })
})
afterAll(async () => {
  node.close()
  await rows.stop()
  rmSync(directory, { recursive: true })
})

const right = (): Record<string, string> => ({
  DATABASE_URL: rows.deps.config.DATABASE_URL,
  READER_DATABASE_URL: rows.deps.config.DATABASE_URL,
  RPC_URL: `http://127.0.0.1:${portOf(node)}`,
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
  const { lines, code } = await run('web', { ...right(), WEB_PORT: String(portOf(node)) })
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatchObject({ setting: 'WEB_PORT', problem: expect.stringContaining('EADDRINUSE') })
})
