import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '../../../client/src/cli/program.ts'
import { showUsdc } from '../../../client/src/cli/usdc.ts'
import { createClient } from '../../../client/src/create-client.ts'
import { runTool, silentIo, wordsOf } from '../../support/client/silent-io.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-lists-'))
const address = (digits: string) => `0x${digits.repeat(20)}`
const deployment = { chainId: 8453, local: false, market: address('a1'), forwarder: address('b2'), usdc: address('c3') }
const id = `0x12${'ab'.repeat(30)}cd`
const key = `0x${'42'.repeat(32)}` as const
const task = {
  id,
  mode: 'bounty',
  status: 'open',
  reward: '2000000',
  worker: null,
  expiryTime: null,
  description: 'Haiku',
}
const vault = { vaultId: id, tokenSymbol: 'TKN', status: 'active', curationStatus: null, availableBalance: '7' }
const agent = { rank: 1, address: address('77'), actorType: 'agent', completedTasks: 1, averageRating: null }
const answers: Record<string, object> = {
  '/api/tasks': { tasks: [task], nextCursor: null, hasMore: false },
  '/api/agents/leaderboard': [agent],
  '/api/sponsored-task-vaults': { vaults: [vault] },
  '/api/wallet/balance': { balanceBaseUnits: '5000000', balanceUsdc: '5.000000' },
  '/api/agents/inbox': { asRequester: [task], asWorker: [], invitedPrivateTasks: [] },
}
let server: Server
let env: Record<string, string>

beforeAll(async () => {
  const file = join(directory, 'deployment.json')
  writeFileSync(file, JSON.stringify(deployment))
  server = createServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answers[url.split('?')[0] ?? ''] ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  env = {
    TASK_MARKET_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TASK_MARKET_HOME: join(directory, 'home'),
    TASK_MARKET_DEPLOYMENT: file,
    TASK_MARKET_PRIVATE_KEY: key,
  }
})

afterAll(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

/** Every list of the tool, with the row that it gets. */
const lists: [string, object][] = [
  ['task list', task],
  ['agents list', agent],
  ['vault list', vault],
  ['inbox', { section: 'asRequester', ...task }],
]

describe('A list', () => {
  test.each(lists)('given `%s` on a terminal, then short ids and no null', async (line, row) => {
    const { out } = await runTool(wordsOf(line), { env, isTerminal: true, width: 100 })
    expect(out.trim().split('\n')).toHaveLength(2)
    expect(out).not.toMatch(/null|undefined|0x[0-9a-f]{40}/)
    if ('reward' in row) expect(out).toMatch(/\b2\.00\b/)
    if (line !== 'agents list') expect(out).toContain('0x12ab…abcd')
  })

  test.each(lists)('given `%s` for a program, then each line is a whole row', async (line, row) => {
    const piped = await runTool(wordsOf(line), { env })
    expect(
      piped.out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual([row])
    const asked = await runTool(wordsOf(`${line} --json`), { env, isTerminal: true })
    expect(asked.out).toBe(piped.out)
  })

  test('given the balance, then a terminal shows it as lists show amounts, and a program gets the answer', async () => {
    const shown = await runTool(wordsOf('wallet balance'), { env, isTerminal: true })
    expect(shown.out).toMatch(/^address: 0x\w+\nbalance: 5\.00 USDC\n$/)
    const { out } = await runTool(wordsOf('wallet balance'), { env })
    expect(JSON.parse(out)).toMatchObject({ balanceBaseUnits: '5000000', balanceUsdc: '5.000000' })
  })

  test('given --wide, then its ids are whole', async () => {
    expect((await runTool(wordsOf('task list --wide'), { env, isTerminal: true })).out).toContain(id)
  })

  test.each([
    ['2000000', '2.00'],
    ['2500000', '2.50'],
    ['1234567', '1.234567'],
    ['1000', '0.001'],
    ['0', '0.00'],
    [null, ''],
    [undefined, ''],
    ['-1', '-1'],
  ])('given an amount of %j base units, then it shows %s', (units, shown) => {
    expect(showUsdc(units)).toBe(shown)
  })
})

describe('The variables of the environment', () => {
  test.each([
    'TASK_MARKET_RPC_URL',
    'TASK_MARKET_LEGAL_RECEIPT',
    'TASK_MARKET_KEYSTORE',
    'TASK_MARKET_TTY',
    'TASK_MARKET_ACCESS_PASSWORD',
  ])('given an empty %s, then it is not set', async (name) => {
    expect(await runTool(['task', 'list'], { env: { ...env, [name]: '' } })).toMatchObject({
      exit: 0,
      err: expect.not.stringContaining('error'),
    })
  })

  test('given empty variables that are needed, then the tool says which, as without them', async () => {
    for (const name of ['TASK_MARKET_URL', 'TASK_MARKET_PRIVATE_KEY', 'TASK_MARKET_DEPLOYMENT']) {
      const { [name]: _, ...without } = env
      const empty = await runTool(['wallet', 'balance'], { env: { ...env, [name]: '' } })
      expect(empty).toEqual(await runTool(['wallet', 'balance'], { env: without }))
    }
  })

  test('given an empty URL of a node in a program, then there is none', () => {
    const account = privateKeyToAccount(key)
    const client = createClient({
      url: env.TASK_MARKET_URL ?? '',
      account,
      deployment,
      rpcUrl: '',
      onWarning: () => {},
    })
    expect(client.context.chain).toBeNull()
  })
})

type Command = ReturnType<typeof buildProgram>

describe('--yes', () => {
  const leaves = (command: Pick<Command, 'commands'>, path: string[]): string[][] =>
    command.commands.length === 0 ? [path] : command.commands.flatMap((child) => leaves(child, [...path, child.name()]))

  test.each(leaves(buildProgram(silentIo({})), []))('given `%s`', (...path) => {
    const words = path.filter((word) => typeof word === 'string')
    const program = buildProgram(silentIo({}))
    expect(program.parseOptions([...words, '--yes'])).toMatchObject({ operands: words, unknown: [] })
    expect(program.opts().yes).toBe(true)
    const leaf = words.reduce<Command | undefined>(
      (command, name) => command?.commands.find((child) => child.name() === name),
      program,
    )
    expect(leaf?.helpInformation()).toContain('--yes')
  })
})
