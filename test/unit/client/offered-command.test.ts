import { beforeEach, describe, expect, test } from 'vitest'
import { readOfferedCommand } from '../../../client/src/cli/offered-command.ts'
import { alice, taskId } from '../../support/task-snapshots.ts'
import { aToolService } from './tool-service.ts'

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
const service = aToolService(() => ({ body }))
beforeEach(() => {
  body = undefined
})

const queueOf = (...commands: unknown[]) => {
  const task = { id: taskId, title: 'Haiku', status: 'open', reward: '2000000' }
  return {
    items: commands.map((command) => ({ task, role: 'requester', dueAt: null, actions: [{ command }] })),
    waiting: [],
  }
}
const actions = (isTerminal: boolean) => service.run(`actions --address ${alice}`, { isTerminal })

describe('A command that the service offers', () => {
  test.each(foreign)('given %s, then it is none', (_, command) => {
    expect(readOfferedCommand(command, taskId)).toBeNull()
  })

  test('given them in an answer, then `actions` prints nothing of them', async () => {
    const commands = foreign.flatMap(([, command]) =>
      command === null || typeof command === 'string' ? [command] : [],
    )
    body = queueOf(...commands, accept)
    const shown = await actions(true)
    expect(shown.out.split('\n').filter((line) => line.startsWith('  task-market '))).toEqual([
      `  task-market ${accept}`,
    ])
    expect(shown.out).toContain('Haiku (open, 2.00 USDC, as requester)')
    const lines = (await actions(false)).out.trim().split('\n')
    const printed = lines.flatMap((line) =>
      JSON.parse(line).actions.map((action: { command: unknown }) => action.command),
    )
    expect(printed).toEqual([...commands.map(() => null), accept])
  })
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
    const inbox = (await service.run(`inbox --address ${alice}`)).out.trim().split('\n')
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
    const run = (isTerminal: boolean) => service.run(`actions --waiting --address ${alice}`, { isTerminal })
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
