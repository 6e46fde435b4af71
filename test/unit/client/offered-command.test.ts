import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActionRule } from '../../../api/domain/actions/action-rule.ts'
import { actionRules } from '../../../api/domain/actions/action-rules.ts'
import { readOfferedCommand } from '../../../client/src/cli/offered-command.ts'
import { actionNames } from '../../../protocol/actions.ts'
import { runTool } from '../../support/client/silent-io.ts'
import { alice, aSnapshot, pitchId, taskId, workers } from '../../support/task-snapshots.ts'

const accept = `task accept ${taskId} --worker ${alice}`
const other = `0x${'ee'.repeat(32)}`

/** Texts that a hostile service sends as `command`, with the reason for which each is refused. */
const foreign: [string, unknown][] = [
  ['a command of the shell', 'rm -rf ~'],
  ['a second command', `${accept}; rm -rf ~`],
  ['a second line', `${accept}\nrm -rf ~`],
  ['a substitution', `task accept ${taskId} --worker $(id)`],
  ['backticks', `task accept ${taskId} --worker \`id\``],
  ['a pipe', `task accept ${taskId} --worker ${alice} | sh`],
  ['a redirection', `task accept ${taskId} --worker ${alice} > ~/.bashrc`],
  ['a placeholder that is none', `task accept ${taskId} --worker </etc/passwd>`],
  ['another service', `${accept} --url https://evil.example`],
  ['another deployment', `${accept} --deployment evil.json`],
  ['consent of a person', `${accept} --yes`],
  ['another task', `task accept ${other} --worker ${alice}`],
  ['a command about money', 'wallet withdraw 100'],
  ['a command that the tool does not have', `task give ${taskId}`],
  ['an option that the command does not have', `task cancel ${taskId} --worker ${alice}`],
  ['an option without a value', `task accept ${taskId} --worker`],
  ['a missing option', `task accept ${taskId}`],
  ['an option in place of a value', `task accept ${taskId} --worker --yes`],
  ['a price that the tool does not read', `task bid ${taskId} --price 1e9`],
  ['a rating that is no number', `task rate ${taskId} --worker ${alice} --rating high`],
  ['a file of the person', `task submit ${taskId} --file .env`],
  ['an evaluator', `task evaluator ${taskId} --evaluator ${alice}`],
  ['direction characters', `task accept ${taskId} --worker \u202e${alice}`],
  ['a command of its own before', `task-market ${accept}`],
  ['nothing', ''],
  ['no text', { toString: () => accept }],
  ['null', null],
]

let body: unknown
let server: Server
let env: Record<string, string>
const directory = mkdtempSync(join(tmpdir(), 'task-market-offers-'))

beforeAll(async () => {
  server = createServer((_, response) => response.end(JSON.stringify(body)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const deployment = join(directory, 'deployment.json')
  const address = (digits: string) => `0x${digits.repeat(20)}`
  writeFileSync(
    deployment,
    JSON.stringify({
      chainId: 8453,
      local: false,
      market: address('a1'),
      forwarder: address('b2'),
      usdc: address('c3'),
    }),
  )
  env = {
    TASK_MARKET_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TASK_MARKET_HOME: join(directory, 'home'),
    TASK_MARKET_DEPLOYMENT: deployment,
  }
})

beforeEach(() => {
  body = undefined
})

afterAll(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

const queueOf = (...commands: unknown[]) => {
  const task = { id: taskId, title: 'Haiku', status: 'open', reward: '2000000' }
  return {
    items: commands.map((command) => ({ task, role: 'requester', dueAt: null, actions: [{ command }] })),
    waiting: [],
  }
}
const actions = (isTerminal: boolean) => runTool(['actions', '--address', alice], { env, isTerminal })

describe('A command that the service offers', () => {
  test('given each command of the rules, then it is one of the tool', () => {
    const award = { worker: alice, amount: 1_000_000n, rank: 1 }
    const snapshots = [
      aSnapshot({
        worker: alice,
        awards: workers.map((worker, at) => ({ ...award, worker, rank: at + 1, rating: null })) as never,
      }),
      aSnapshot({ soleActiveWorker: alice, activeSubmissionCount: 1, solePitch: { id: pitchId, worker: alice } }),
      aSnapshot({ evaluator: alice, evaluatorFeeBps: 500, expiryTime: 1n }),
    ]
    const offered = actionNames.flatMap((action) =>
      (actionRules[action] as readonly ActionRule<never>[]).flatMap((rule) =>
        snapshots.flatMap((snapshot) => rule.offeredAs(snapshot, 2_000n).map(({ command }) => command)),
      ),
    )
    expect(offered.length).toBeGreaterThan(actionNames.length)
    for (const command of offered) expect(readOfferedCommand(command, taskId)).toBe(command)
  })

  test.each(foreign)('given %s, then it is none', (_, command) => {
    expect(readOfferedCommand(command, taskId)).toBeNull()
  })

  test.each(foreign.filter(([, command]) => command === null || typeof command === 'string'))(
    'given %s in an answer, then `actions` prints nothing of it',
    async (_, command) => {
      body = queueOf(command, accept)
      const shown = await actions(true)
      expect(shown.out.split('\n').filter((line) => line.startsWith('  task-market '))).toEqual([
        `  task-market ${accept}`,
      ])
      const lines = (await actions(false)).out.trim().split('\n')
      const commands = lines.flatMap((line) =>
        JSON.parse(line).actions.map((action: { command: unknown }) => action.command),
      )
      expect(commands).toEqual([null, accept])
    },
  )
})

describe('The work of a wallet, as lists', () => {
  test('given a program, then each entry of `actions` and `inbox` is one line of JSON, whole', async () => {
    body = queueOf(accept, accept)
    const lines = (await actions(false)).out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual((body as ReturnType<typeof queueOf>).items)
    const task = { status: 'open', reward: '2000000', description: 'Haiku' }
    body = {
      asRequester: [{ id: taskId, ...task, worker: null }],
      asWorker: [{ id: other, ...task }],
      invitedPrivateTasks: [],
    }
    const inbox = (await runTool(['inbox', '--address', alice], { env })).out.trim().split('\n')
    expect(inbox.map((line) => JSON.parse(line))).toEqual([
      { section: 'asRequester', id: taskId, ...task, worker: null },
      { section: 'asWorker', id: other, ...task },
    ])
  })

  test('given --waiting, then each task that waits for another party is one line', async () => {
    const waiting = {
      id: 'a',
      task: { id: taskId, title: 'Haiku' },
      role: 'worker',
      reason: 'waiting_for_review',
      dueAt: null,
    }
    body = { ...queueOf(accept), waiting: [waiting, waiting] }
    const run = (isTerminal: boolean) => runTool(['actions', '--waiting', '--address', alice], { env, isTerminal })
    const lines = (await run(false)).out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([waiting, waiting])
    expect((await run(true)).out).toBe('Haiku (as worker: waiting_for_review)\n'.repeat(2))
  })

  test.each([[null], [[]], ['text'], [{ items: 'text' }], [{ items: [null, 7, { task: null, actions: [null] }] }]])(
    'given an answer of another shape (%j), then no error of the program',
    async (answer) => {
      body = answer
      for (const isTerminal of [true, false]) {
        const run = await actions(isTerminal)
        expect(run.err).not.toContain('TypeError')
        expect(run.err).not.toContain('undefined')
      }
    },
  )
})
