import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { beforeEach, expect, it, vi } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { createTaskTurns } from '../../../api/writes/task-turns.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { aClaimBody } from '../../support/conformance-fixtures.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidWrite } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

/** Newest block whose rows are there. */
const INDEXED = 1_000n

const api = aStartedApi({ WRITE_ANSWER_MS: '100' }, agreeToEverything)
let taskId: Hex
beforeEach(async () => {
  taskId = (await api.seed.task({ requester: anActor().address, mode: 'claim' })).id
})

/** A claim of another worker, as the pipeline binds it; `changes` of its row. */
async function bindWinner(changes: Record<string, unknown>, task = taskId): Promise<string> {
  const calldata = encodeFunctionData({ abi: taskMarketAbi, functionName: 'claimTask', args: [task, zeroHash] })
  const { id } = await bindIntent(api, { calldata })
  await api.sql`update intents set operation = 'claims.create', tx_hash = ${aHash()} where id = ${id}`
  if (Object.keys(changes).length > 0) await api.sql`update intents set ${api.sql(changes)} where id = ${id}`
  return id
}

async function claim(worker: Actor, key: string = crypto.randomUUID()): Promise<Answer> {
  const body = await aClaimBody(worker, taskId)
  return await api.post(`/api/tasks/${taskId}/claim`, body, { 'X-Service-Idempotency-Key': key })
}

const statusOf = async (key: string) =>
  (await api.sql<{ status: string }[]>`select status from intents where idempotency_key = ${key}`)[0]?.status ?? null

/** A write that was bound waits for a chain that mines nothing. */
const BOUND = { status: 409, body: { service: { reason: 'intent_in_flight' } } }

it('given a claim is sent, then another is refused without a node, and its key works once that claim has failed', async () => {
  const winner = await bindWinner({ status: 'broadcast' })
  const [worker, key] = [anActor(), crypto.randomUUID()]
  const asked = vi.spyOn(api.chain, 'latestClocks')
  const refused = await claim(worker, key)
  expect(refused).toMatchObject({
    status: 409,
    body: { service: { reason: 'payment_preflight_rejected', detail: 'task_changing' } },
  })
  expect(refused.body.service).not.toHaveProperty('intentId')
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(asked).not.toHaveBeenCalled()
  asked.mockRestore()
  expect(await statusOf(key)).toBeNull()

  await api.sql`update intents set status = 'failed', block_number = 1, block_hash = ${aHash()} where id = ${winner}`
  expect(await claim(worker, key)).toMatchObject(BOUND)
  expect(await statusOf(key)).toBe('recorded')
})

it.each<[string, Record<string, unknown>, isRefused: boolean, task?: Hex]>([
  ['recorded and not sent', {}, false],
  ['mined in a block without rows', { status: 'completed', block_number: INDEXED + 1n }, true],
  ['mined in a block whose rows are there', { status: 'completed', block_number: INDEXED }, false],
  ['sent, and runs code of others', { status: 'broadcast', relay_class: 'foreign', gas_limit: 1n }, false],
  ['held', { status: 'held' }, false],
  ['of another task', { status: 'broadcast' }, false, aHash()],
])('given a claim is %s, then another is refused: %s %s', async (_given, changes, isRefused, task) => {
  await api.sql`delete from indexed_head`
  const head = { blockNumber: INDEXED, blockTimestamp: START, checkpoint: '', ready: true }
  await api.sql`insert into indexed_head ${api.sql(head)}`
  await bindWinner(changes, task)
  const { body } = await claim(anActor())
  expect(body.service.detail === 'task_changing').toBe(isRefused)
})

it('given a claim is sent and no block takes it for a minute, then another is admitted', async () => {
  const id = await bindWinner({ status: 'broadcast' })
  await api.sql`update intents set status_at = now() - interval '61 seconds' where id = ${id}`
  expect(await claim(anActor())).toMatchObject(BOUND)
})

it('given a claim has failed, then one that is sent excludes none for ten minutes', async () => {
  const failed = await bindWinner({ status: 'failed', block_number: 1, block_hash: aHash() })
  await bindWinner({ status: 'broadcast' })
  expect(await claim(anActor())).toMatchObject(BOUND)
  await api.sql`update intents set status_at = now() - interval '601 seconds' where id = ${failed}`
  expect((await claim(anActor())).body.service.detail).toBe('task_changing')
})

it('given a paid claim is sent, and another key presents its payment, then the answer names that claim', async () => {
  taskId = (await api.seed.task({ requester: anActor().address, mode: 'claim', reward: 1_000_000n, stakeBps: 1_000 }))
    .id
  const [payer, path] = [anActor(), `/api/tasks/${taskId}/claim`]
  const won = aPaidWrite(api, path, { body: await aClaimBody(payer, taskId), payer })
  expect(await won.roundTwo()).toMatchObject(BOUND)
  await api.sql`update intents set status = 'broadcast', tx_hash = ${aHash()} where idempotency_key = ${won.key}`
  const lost = aPaidWrite(api, path, { body: await aClaimBody(payer, taskId), payer })
  expect((await lost.roundOne()).body.service.detail).toBe('task_changing')
  const headers = { 'X-Service-Idempotency-Key': lost.key, 'PAYMENT-SIGNATURE': won.header() }
  expect(await api.post(path, lost.body, headers)).toMatchObject({
    status: 409,
    body: {
      error: expect.stringContaining('funds another write already'),
      service: { reason: 'payment_already_spent' },
    },
  })
})

it('given a loser that repeats the key of the winner, then it is told of that write', async () => {
  const id = await bindWinner({ status: 'broadcast' })
  const [row] = await api.sql`select idempotency_key from intents where id = ${id}`
  expect((await claim(anActor(), row?.idempotencyKey)).body.service.detail).toBe('key_of_other_request')
})

it('given many workers claim at once, then the first is simulated and sent, and the others are refused without a node', async () => {
  const simulate = vi.spyOn(api.chain, 'simulate')
  // However slow the machine is, no turn ends before its write is bound.
  const turnAt = vi.spyOn(api.deps.writes, 'turnAt').mockImplementation(createTaskTurns(60_000, 60_000))
  const sign = async () => ({ hash: aHash(), store: async () => {}, send: () => {} })
  const relay = { begin: () => true, end: () => {}, sign }
  const plan = vi.spyOn(api.deps.writes.relayer, 'plan').mockResolvedValue(relay as never)
  const answers = await Promise.all(Array.from({ length: 8 }, () => claim(anActor())))
  expect(answers.map(({ body }) => body.service.detail).toSorted()).toEqual([
    ...Array(7).fill('task_changing'),
    'write_undecided',
  ])
  expect(simulate).toHaveBeenCalledTimes(1)
  plan.mockRestore()
  turnAt.mockRestore()
  simulate.mockRestore()
})
