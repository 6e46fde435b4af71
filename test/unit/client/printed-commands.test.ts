import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { actionRequestOf } from '../../../api/domain/action-request.ts'
import type { ActionRule } from '../../../api/domain/actions/action-rule.ts'
import { actionRules } from '../../../api/domain/actions/action-rules.ts'
import { readOfferedCommand } from '../../../client/src/cli/offered-command.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import { type ActionName, actionNames } from '../../../protocol/actions.ts'
import { alice, aSnapshot, pitchId, requester, taskId, workers } from '../../support/task-snapshots.ts'
import { aToolService } from './tool-service.ts'

/** What the server was asked to do. */
let asked: { path: string; body: Record<string, unknown> | null }[] = []
// Refuses every write by its state: what is looked at is the request that the tool made.
const service = aToolService(({ method, path, body }) => {
  const isWrite = method === 'POST'
  if (isWrite) asked.push({ path, body: body === '' ? null : JSON.parse(body) })
  const refusal = { error: 'Not now.', code: 'CONFLICT', service: { reason: 'payment_preflight_rejected' } }
  const task = { id: taskId, reward: '5000000', requester, claimRound: 0, pendingActions: [] }
  return { status: isWrite ? 409 : 200, body: isWrite ? refusal : task }
})
const file = join(service.directory, 'work.txt')
beforeAll(() => writeFileSync(file, 'Agora'))

const award = { worker: alice, amount: 1_000_000n, rank: 1 }
/** Tasks in which every rule has something to offer, and known values are filled in or not. */
const snapshots = [
  aSnapshot({
    worker: alice,
    awards: workers.map((worker, at) => ({ ...award, worker, rank: at + 1, rating: null })) as never,
  }),
  aSnapshot({ soleActiveWorker: alice, activeSubmissionCount: 1, solePitch: { id: pitchId, worker: alice } }),
  aSnapshot({ evaluator: alice, evaluatorFeeBps: 500, expiryTime: 1n }),
]

/** What the API prints, straight from the rules. */
const printed = new Map<string, ActionName>()
for (const action of actionNames) {
  for (const rule of actionRules[action] as readonly ActionRule<never>[]) {
    for (const snapshot of snapshots) {
      for (const { command } of rule.offeredAs(snapshot, 2_000n)) printed.set(command, action)
    }
  }
}

const values: [RegExp, string][] = [
  [/\[:<submissionId>\]/g, ''],
  [/--<field> <value>/g, '--description changed'],
  [/<worker>/g, alice],
  [/<share>/g, '10000'],
  [/<usdc>/g, '1.5'],
  [/<rank>/g, '1'],
  [/<0-100>/g, '90'],
  [/<pitchId>/g, pitchId],
  [/<type>/g, 'url'],
  [/<path>/g, file],
  [/<(approve|reject|partial)[^>]*>/g, '$1'],
  [/<[a-z]+>/g, 'word'],
]

test('given an identity, then `agents adopt` sends its adoption', async () => {
  asked = []
  const run = await service.run('agents adopt 42 --yes')
  expect([run.exit, asked]).toEqual([5, [{ path: '/api/identity/adopt', body: { agentId: '42' } }]])
})

describe('The commands that the API prints', () => {
  test('given all rules, then each action prints at least one', () => {
    expect(new Set(printed.values())).toEqual(new Set(actionNames))
  })

  test.each([...printed])(
    'given `%s`, then it is shown, and the tool sends the request of %s',
    async (command, action) => {
      expect(readOfferedCommand(command, taskId)).toBe(command)
      const line = values.reduce((text, [placeholder, value]) => text.replace(placeholder, value), command)
      expect(line, 'a placeholder without a value').not.toMatch(/[<>[\]]/)
      asked = []
      const run = await service.run(line)
      expect(asked, run.err).toHaveLength(1)
      const request = actionRequestOf(action, { id: taskId, claimRound: 0, serviceName: 'service' })
      expect(asked[0]?.path).toBe(request.path)
      const write = writes[request.operationId as keyof typeof writes]
      expect(write.path.replace('{taskId}', taskId)).toBe(request.path)
      // The service refused it by its state: code 5, and the error as JSON.
      expect(run.exit).toBe(5)
      expect(JSON.parse(run.err)).toMatchObject({ kind: 'refused', message: 'Not now.' })
    },
  )
})
