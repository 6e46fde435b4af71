import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actionRequestOf } from '../../../api/domain/action-request.ts'
import type { ActionRule } from '../../../api/domain/actions/action-rule.ts'
import { actionRules } from '../../../api/domain/actions/action-rules.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import { type ActionName, actionNames } from '../../../protocol/actions.ts'
import { runTool, wordsOf } from '../../support/client/silent-io.ts'
import { alice, aSnapshot, pitchId, requester, taskId, workers } from '../../support/task-snapshots.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-commands-'))
const deploymentFile = join(directory, 'deployment.json')
const file = join(directory, 'work.txt')
const address = (digits: string) => `0x${digits.repeat(20)}`
/** What the server was asked to do. */
let asked: { path: string; body: Record<string, unknown> | null }[] = []
let server: Server
let url: string

beforeAll(async () => {
  writeFileSync(file, 'Agora')
  writeFileSync(
    deploymentFile,
    JSON.stringify({
      chainId: 8453,
      local: false,
      market: address('a1'),
      forwarder: address('b2'),
      usdc: address('c3'),
    }),
  )
  // Refuses every write by its state: what is looked at is the request that the tool made.
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const isWrite = request.method === 'POST'
    if (isWrite) asked.push({ path: request.url ?? '', body: text === '' ? null : JSON.parse(text) })
    const refusal = { error: 'Not now.', code: 'CONFLICT', service: { reason: 'payment_preflight_rejected' } }
    const task = { id: taskId, reward: '5000000', requester, claimRound: 0, pendingActions: [] }
    response.writeHead(isWrite ? 409 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isWrite ? refusal : task))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  rmSync(directory, { recursive: true })
})

const env = () => ({
  TASK_MARKET_URL: url,
  TASK_MARKET_HOME: join(directory, 'home'),
  TASK_MARKET_DEPLOYMENT: deploymentFile,
  TASK_MARKET_PRIVATE_KEY: `0x${'42'.repeat(32)}`,
})

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
  const run = await runTool(wordsOf('agents adopt 42 --yes'), { env: env() })
  expect([run.exit, asked]).toEqual([5, [{ path: '/api/identity/adopt', body: { agentId: '42' } }]])
})

describe('The commands that the API prints', () => {
  test('given all rules, then each action prints at least one', () => {
    expect(new Set(printed.values())).toEqual(new Set(actionNames))
  })

  test.each([...printed])('given `%s`, then the tool sends the request of %s', async (command, action) => {
    const line = values.reduce((text, [placeholder, value]) => text.replace(placeholder, value), command)
    expect(line, 'a placeholder without a value').not.toMatch(/[<>[\]]/)
    asked = []
    const run = await runTool(wordsOf(line), { env: env() })
    expect(asked, run.err).toHaveLength(1)
    const request = actionRequestOf(action, { id: taskId, claimRound: 0, serviceName: 'service' })
    expect(asked[0]?.path).toBe(request.path)
    const write = writes[request.operationId as keyof typeof writes]
    expect(write.path.replace('{taskId}', taskId)).toBe(request.path)
    // The service refused it by its state: code 5, and the error as JSON.
    expect(run.exit).toBe(5)
    expect(JSON.parse(run.err)).toMatchObject({ kind: 'refused', message: 'Not now.' })
  })
})
