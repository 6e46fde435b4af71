import { describe, expect, test } from 'vitest'
import { buildProgram } from '../../../client/src/cli/program.ts'
import { showUsdc } from '../../../client/src/cli/usdc.ts'
import { createClient } from '../../../client/src/create-client.ts'
import { runTool, silentIo } from '../../support/client/silent-io.ts'
import { account, address, aToolService, deployment } from './tool-service.ts'

const id = `0x12${'ab'.repeat(30)}cd`
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
const service = aToolService(({ path }) => ({ body: answers[path.split('?')[0] ?? ''] ?? {} }))

/** Every list of the tool, with the row that it gets. */
const lists: [string, object][] = [
  ['task list', task],
  ['agents list', agent],
  ['vault list', vault],
  ['inbox', { section: 'asRequester', ...task }],
]

describe('A list', () => {
  test.each(lists)('given `%s` on a terminal, then short ids and no null', async (line, row) => {
    const { out } = await service.run(line, { isTerminal: true, width: 100 })
    expect(out.trim().split('\n')).toHaveLength(2)
    expect(out).not.toMatch(/null|undefined|0x[0-9a-f]{40}/)
    if ('reward' in row) expect(out).toMatch(/\b2\.00\b/)
    if (line !== 'agents list') expect(out).toContain('0x12ab…abcd')
  })

  test.each(lists)('given `%s` for a program, then each line is a whole row', async (line, row) => {
    const piped = await service.run(line)
    expect(
      piped.out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual([row])
    const asked = await service.run(`${line} --json`, { isTerminal: true })
    expect(asked.out).toBe(piped.out)
  })

  test('given the balance, then a terminal shows it as lists show amounts, and a program gets the answer', async () => {
    const shown = await service.run('wallet balance', { isTerminal: true })
    expect(shown.out).toMatch(/^address: 0x\w+\nbalance: 5\.00 USDC\n$/)
    const { out } = await service.run('wallet balance')
    expect(JSON.parse(out)).toMatchObject({ balanceBaseUnits: '5000000', balanceUsdc: '5.000000' })
  })

  test('given --wide, then its ids are whole', async () => {
    expect((await service.run('task list --wide', { isTerminal: true })).out).toContain(id)
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
    expect(await service.run('task list', { env: { [name]: '' } })).toMatchObject({
      exit: 0,
      err: expect.not.stringContaining('error'),
    })
  })

  test('given empty variables that are needed, then the tool says which, as without them', async () => {
    for (const name of ['TASK_MARKET_URL', 'TASK_MARKET_PRIVATE_KEY', 'TASK_MARKET_DEPLOYMENT']) {
      const { [name]: _, ...without } = service.env
      const empty = await runTool(['wallet', 'balance'], { env: { ...service.env, [name]: '' } })
      expect(empty).toEqual(await runTool(['wallet', 'balance'], { env: without }))
    }
  })

  test('given an empty URL of a node in a program, then there is none', () => {
    const client = createClient({ url: service.url, account, deployment, rpcUrl: '', onWarning: () => {} })
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
