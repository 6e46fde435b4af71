import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, createPublicClient, http, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { measuredPrograms } from '../../metrics/metric.ts'
import { metricsOf } from '../../metrics/table.ts'
import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'
import { isDeep } from '../support/depth.ts'
import { testAnalystsClients } from './analysts-clients.ts'
import { testCookbook } from './cookbook.ts'
import { testDocumentCommands } from './document-commands.ts'
import { testFirstBounty } from './first-bounty.ts'
import {
  type LaunchedStack,
  type LaunchOptions,
  launchStack,
  listProcessesOf,
  pidOf,
  readStackFile,
} from './launched-stack.ts'

const otherNetworkAbi = parseAbi([
  'function getIdentityRegistry() view returns (address)',
  'function name() view returns (string)',
])
let directory: string
let running: LaunchedStack[] = []

function start(options: LaunchOptions = {}): LaunchedStack {
  const stack = launchStack(directory, options)
  running.push(stack)
  return stack
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'task-market-start-'))
  // Under root, Postgres runs as another user.
  chmodSync(directory, 0o755)
})

afterEach(async () => {
  // Only a failed test leaves a running one.
  for (const stack of running) stack.signal('SIGTERM')
  await Promise.all(running.map((stack) => stack.ended))
  running = []
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface ShownTask {
  id: string
  description: string
  status: string
  mode: string
  auctionType: string | null
  phase: string
  submissionCount: number
  awardCount: number
  sponsoredTaskRewards?: { state: string; curationStatus: string }[]
}

/** The public tasks, as returned to any client. */
async function listTasks(): Promise<ShownTask[]> {
  const response = await fetch(`${readStackFile(directory).urls.api}/api/tasks?limit=100`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { tasks: ShownTask[] }).tasks
}

async function post(url: string, body: object): Promise<[status: number, body: unknown]> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return [response.status, await response.json()]
}

/** The fields of a task that do not change without a write, unlike its phase. */
function factsOf(tasks: ShownTask[]) {
  return tasks.map(({ id, status, submissionCount, awardCount }) => ({ id, status, submissionCount, awardCount }))
}

async function stopWell(stack: LaunchedStack): Promise<void> {
  stack.signal('SIGTERM')
  await expectEndedWell(stack)
}

/** Expects that a stack that was asked to end did so, with all its processes. */
async function expectEndedWell(stack: LaunchedStack): Promise<void> {
  const { code, output } = await stack.ended
  expect(code, output).toBe(0)
  expect(listProcessesOf(directory)).toEqual([])
}

/** Expects that each program serves the metrics of its table, all of them and no other of ours. */
async function expectEveryMetric(urls: StackDescription['urls']['metrics']): Promise<void> {
  const programs = { api: urls.api, indexer: urls.indexer, graphql: urls.graphql, 'standby-keeper': urls.keeper }
  for (const program of measuredPrograms) {
    const text = await (await fetch(programs[program] ?? '')).text()
    const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
    const listed = Object.keys(metricsOf[program])
    expect(names, program).toEqual(expect.arrayContaining(listed))
    expect(names.filter((name) => name.startsWith('taskmarket_') && !listed.includes(name))).toEqual([])
  }
}

describe('one stack over several starts', () => {
  let tasks: ShownTask[]
  let urlsBefore: StackDescription['urls']

  describe('started with npm in an empty directory', () => {
    let stack: LaunchedStack
    beforeAll(async () => {
      stack = launchStack(directory, { withNpm: true })
      await stack.untilLine(/\ds {2}ready in/)
    })
    afterAll(() => stack.signal('SIGTERM'))

    test('then every demo state is served', async () => {
      const { urls, isContinued } = readStackFile(directory)
      expect(isContinued).toBe(false)
      expect(await (await fetch(`${urls.api}/api/health`)).json()).toMatchObject({ status: 'ok' })
      const registration = await (await fetch(`${urls.api}/.well-known/agent-registration.json`)).json()
      expect(registration).toMatchObject({
        services: expect.arrayContaining([{ name: 'MCP', endpoint: `${urls.api}/mcp`, version: '2026-07-28' }]),
        registrations: [{ agentId: 0, agentRegistry: expect.stringMatching(/^eip155:\d+:0x/) }],
      })
      const seeded = await listTasks()
      const shown = seeded.map(({ status, phase, awardCount }) => `${status} ${phase} ${awardCount}`)
      expect(new Set(shown)).toEqual(
        new Set([
          'open active 0',
          'open awaiting_settlement 0',
          'expired resolved 0',
          'cancelled resolved 0',
          'completed resolved 1',
          'completed resolved 2',
          'claimed active 0',
          'pending_approval active 0',
          'review in_review 0',
          'appealing in_review 0',
        ]),
      )
      const kinds = seeded.map(({ mode, auctionType }) => auctionType ?? mode)
      expect(new Set(kinds)).toEqual(
        new Set(['bounty', 'benchmark', 'claim', 'pitch', 'dutch', 'english', 'reverse_dutch', 'reverse_english']),
      )
      expect(
        seeded.some(
          ({ status, phase, submissionCount }) => status === 'open' && phase === 'active' && submissionCount > 0,
        ),
      ).toBe(true)

      const rewards = seeded.flatMap(({ sponsoredTaskRewards }) => sponsoredTaskRewards ?? [])
      expect(rewards.map(({ state, curationStatus }) => `${state} ${curationStatus}`).toSorted()).toEqual([
        'claimed approved',
        'credited approved',
        'defaulted unverified',
        'released approved',
        'reserved approved',
        'reserved unverified',
      ])

      // The standby replays what the primary has a moment later.
      const bonus = () =>
        post(urls.sql, {
          query: `SELECT (SELECT count(*) > 0 FROM market.bonus_account WHERE claimable > 0) AS credited,
        (SELECT count(*) FROM market.bonus_withdrawal) AS withdrawals`,
        })
      await expect.poll(bonus).toEqual([200, expect.objectContaining({ rows: [{ credited: true, withdrawals: '1' }] })])
      const sql = () => post(urls.sql, { query: 'SELECT count(*) AS tasks FROM market.task WHERE listed' })
      await expect.poll(sql).toEqual([200, expect.objectContaining({ rows: [{ tasks: String(seeded.length) }] })])
      const atStandby = await withConnection(
        readStackFile(directory).analystUrl ?? '',
        (analyst) =>
          analyst`SELECT pg_is_in_recovery() AS standby, count(*)::int AS tasks FROM market.task WHERE listed`,
      )
      expect([...atStandby]).toEqual([{ standby: true, tasks: seeded.length }])
      const graphql = await post(urls.graphql ?? '', { query: '{ tasks(limit: 1) { items { id } } }' })
      expect(graphql).toEqual([200, { data: { tasks: { items: [{ id: expect.any(String) }] } } }])

      await expectEveryMetric(urls.metrics)
    })

    testFirstBounty(() => readStackFile(directory))
    testAnalystsClients(() => readStackFile(directory))
    testDocumentCommands(() => readStackFile(directory))
    testCookbook(() => readStackFile(directory))

    test('when stopped, then no process is left', async () => {
      tasks = await listTasks()
      urlsBefore = readStackFile(directory).urls
      await stopWell(stack)
      const down = { running: false, stoppedAt: expect.stringMatching(/Z$/), urls: urlsBefore }
      expect(readStackFile(directory)).toMatchObject(down)
    })
  })

  test('given a stopped stack, when started again, then chain and tables continue, without another seed; a second start is refused; given anvil ends, then the stack does', async () => {
    const stack = start({ args: ['--no-standby'] })
    await stack.untilLine(/\ds {2}ready in/)
    const { running: isRunning, stoppedAt, isContinued, urls } = readStackFile(directory)
    expect({ isRunning, stoppedAt, isContinued }).toEqual({ isRunning: true, stoppedAt: null, isContinued: true })
    expect(urls).toEqual({ ...urlsBefore, metrics: { ...urlsBefore.metrics, keeper: null } })
    expect(factsOf(await listTasks())).toEqual(factsOf(tasks))

    const refused = await start().ended
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('already running')

    process.kill(pidOf(directory, 'anvil'), 'SIGKILL')
    const { code, output } = await stack.ended
    expect(code).toBe(1)
    expect(output).toContain('anvil ended with signal SIGKILL')
    expect(listProcessesOf(directory)).toEqual([])
  })

  test('given tables that are ahead of the saved chain, when started again, then it starts over and logs the reason; given SIGHUP before the processes are complete, then it exits with 0 and leaves no process', async () => {
    const stack = start({ args: ['--no-seed'] })
    expect(await stack.untilLine(/starting over/)).toMatch(/the tables are at block \d+, the saved chain ends at \d+/)
    await stack.untilLine(/anvil ready/)
    stack.signal('SIGHUP')
    await expectEndedWell(stack)
  })

  if (isDeep) {
    test('given its launcher was killed during the seed, when started again, then remaining processes are ended, and the seed is completed as far as deadlines allow, without duplicates', async () => {
      const first = start({ args: ['--reset'] })
      const line = await first.untilLine(/API ready on/)
      const url = /http:\S+/.exec(line)?.[0]
      const countTasks = async () => {
        const { count } = (await (await fetch(`${url}/api/tasks/stats`)).json()) as { count: number }
        return count
      }
      await expect.poll(countTasks).toBeGreaterThan(0)
      await first.crash()
      expect(listProcessesOf(directory)).not.toEqual([])

      const second = start()
      await second.untilLine(/ended what an earlier run had left: .*postgres/)
      // A deadline of a demo task may have passed in between; the launcher logs this and continues.
      await second.untilLine(/demo tasks made|not all demo tasks could be finished/)
      await second.untilLine(/\ds {2}ready in/)
      expect(readStackFile(directory).isContinued).toBe(true)
      const descriptions = (await listTasks()).map(({ description }) => description)
      expect(descriptions).toHaveLength(26)
      expect(new Set(descriptions).size).toBe(26)
      await stopWell(second)
    })
  }
})

test('given another network, when started, then it has its chain, its registries and its USDC', async () => {
  const stack = start({
    args: ['--reset', '--no-seed', '--no-standby'],
    environment: { LOCAL_NETWORK: 'base-sepolia' },
  })
  const [, rpc] = /on (http:\S+):/.exec(await stack.untilLine(/anvil ready/)) ?? []
  const { usdc, registries } = JSON.parse(readFileSync('deployments/84532.json', 'utf8'))
  const client = createPublicClient({ transport: http(rpc) })
  const ask = (address: Address, functionName: 'getIdentityRegistry' | 'name') =>
    client.readContract({ address, abi: otherNetworkAbi, functionName })
  const { address } = registries.reputationRegistry
  expect(await ask(address, 'getIdentityRegistry')).toBe(registries.identityRegistry.address)
  expect([await client.getChainId(), await ask(usdc.address, 'name')]).toEqual([84532, 'USDC'])
  await stopWell(stack)
})

if (isDeep) {
  test('given a database login that may not create roles, then the stack runs with it, and SQL answers 503 with the reason', async () => {
    const server = await startPostgres()
    try {
      await withConnection(server.url, (sql) => sql`CREATE ROLE plain LOGIN CREATEDB PASSWORD 'plain'`)
      const url = new URL(server.url)
      url.username = 'plain'
      url.password = 'plain'
      const stack = start({ args: ['--no-seed'], environment: { DATABASE_URL: url.href } })
      expect(await stack.untilLine(/one database login/)).toContain('because this database login may not create roles')
      await stack.untilLine(/\ds {2}ready in/)
      const { urls } = readStackFile(directory)
      expect(urls.graphql).toBeNull()
      const [status, body] = await post(urls.sql, { query: 'SELECT 1' })
      expect(status).toBe(503)
      expect(body).toMatchObject({ error: expect.stringContaining('docs/operate/database.md') })
      expect(await listTasks()).toEqual([])
      await stopWell(stack)
    } finally {
      await server.stop()
    }
  })
}
