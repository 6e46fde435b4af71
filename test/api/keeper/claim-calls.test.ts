import { randomUUID } from 'node:crypto'
import { decodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sponsoredTasksHookAbi } from '../../../abis/sponsored-tasks-hook.ts'
import { claimCalls, type KeeperCall, listAwards, recordCall } from '../../../api/keeper/keeper-calls.queries.ts'
import { settleRewards } from '../../../api/keeper/settle-rewards.ts'
import { setCurationStatus } from '../../../api/read-model/vault-curation.queries.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { vaultContracts } from '../../support/fake-vaults.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { createSeeder } from '../../support/rows/seeder.ts'
import { insertSettledVault } from '../../support/vault-rows.ts'
import { agreeToEverything } from '../writes/fake-payments.ts'

/** The calls that the keeper makes, and their times: docs/build/vaults.md, "The keeper". */

const DAILY_LIMIT = 4

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())
beforeEach(async () => {
  await api.sql`truncate idx_0000000000000000.task, reference_code, vault_charge, sponsored_vault, service.keeper_calls, service.vault_curation`
})

interface Waiting {
  state?: 'reserved' | 'credited' | 'settled' | 'released'
  status?: string
  isOwnHook?: boolean
  epoch?: number
  endedAt?: bigint
  /** Of an earlier task: its vault. */
  vaultId?: Hex
}

/** A charge of a vault; a new one with a credited reward of a completed task unless said otherwise. */
async function aCharge(changes: Waiting = {}): Promise<{ vaultId: Hex; taskId: Hex }> {
  const { state = 'credited', status = 'completed', isOwnHook = true, epoch = 0, endedAt = 1n } = changes
  const requester = anActor().address
  const { id: taskId } = await createSeeder(api.sql).task({ requester, status })
  const vaultId = changes.vaultId ?? aHash()
  const rows = { vaultId, vault: anActor().address, hook: anActor().address, taskId, worker: requester, amount: 5n }
  if (changes.vaultId === undefined) await insertSettledVault(api.sql, rows)
  else {
    await api.sql`
      insert into vault_charge
      select ${`${vaultId}:${taskId}`}, vault_id, ${taskId}, hook, is_own_hook, manager, epoch, state, gross, net, fee,
        base, credited, credited_fee, released, paid, ended_at, ended_block, ended_transaction, ended_log_index,
        block_number, block_timestamp, transaction_hash, transaction_index, log_index
      from vault_charge where vault_id = ${vaultId} limit 1`
  }
  await api.sql`
    update vault_charge set state = ${state}, is_own_hook = ${isOwnHook}, epoch = ${epoch}, ended_at = ${endedAt}
    where task_id = ${taskId}`
  return { vaultId, taskId }
}

const approve = (vaultId: Hex) =>
  setCurationStatus(api.sql, { vaultId, status: 'approved', curator: anActor().address, timestamp: 1n })
const claim = () => claimCalls(api.sql, { dailyLimit: DAILY_LIMIT })
const tasksOf = (calls: readonly KeeperCall[]) => calls.map(({ taskId }) => taskId)
/** Moves all tries into the past. */
const passMinutes = (minutes: number) => api.sql`
  update service.keeper_calls set claimed_at = claimed_at - ${minutes} * interval '1 minute'`

describe('what is called', () => {
  test('a credited reward is settled, one of an ended task whose vault does not know is reconciled', async () => {
    const credited = await aCharge()
    const missed = await aCharge({ state: 'reserved', endedAt: 2n })
    const cancelled = await aCharge({ state: 'reserved', status: 'cancelled', endedAt: 3n })
    const calls = await claim()
    expect(calls.map(({ taskId, vaultId, step }) => ({ taskId, vaultId, step }))).toEqual([
      { ...credited, step: 'settle' },
      { ...missed, step: 'reconcile' },
      { ...cancelled, step: 'reconcile' },
    ])
  })

  test('each step is recorded as a write with its own function of the hook', async () => {
    await aCharge()
    await aCharge({ state: 'reserved', endedAt: 2n })
    agreeToEverything(api)
    const deployment = { ...api.deps.deployment, ...vaultContracts }
    await settleRewards({ ...api.deps, deployment }, new AbortController().signal)
    const rows = await api.sql<
      { target: Hex; calldata: Hex }[]
    >`select target, calldata from intents where operation like 'sponsoredTaskVaults.%' order by created_at`
    expect(
      rows.map(({ target, calldata: data }) => [
        target,
        decodeFunctionData({ abi: sponsoredTasksHookAbi, data }).functionName,
      ]),
    ).toEqual([
      [vaultContracts.sponsoredTasksHook, 'installSettlement'],
      [vaultContracts.sponsoredTasksHook, 'reconcile'],
    ])
  })

  test.each<Waiting>([
    { state: 'settled' },
    { state: 'released' },
    { state: 'reserved', status: 'open' },
    { state: 'reserved', status: 'review' },
    { isOwnHook: false },
    { epoch: 1 },
  ])('nothing for %o', async (changes) => {
    await aCharge(changes)
    expect(await claim()).toEqual([])
  })

  test('with the awards of the task in the order of their events', async () => {
    const requester = anActor().address
    const seeder = createSeeder(api.sql)
    const task = await seeder.task({ requester, status: 'completed' })
    const [first, second] = [anActor().address, anActor().address]
    await seeder.award(task.id, first, { rank: 2, gross: 7n })
    await seeder.award(task.id, second, { rank: 1, gross: 9n })
    await api.sql`update award set block_number = 5, log_index = 3 where worker = ${first}`
    await api.sql`update award set block_number = 5, log_index = 8 where worker = ${second}`
    expect(await listAwards(api.sql, task.id)).toEqual({ workers: [first, second], amounts: [7n, 9n] })
  })
})

describe('how often', () => {
  test('given several processes at once, then each charge is claimed by one', async () => {
    const taskIds: Hex[] = []
    for (let count = 0; count < DAILY_LIMIT; count += 1)
      taskIds.push((await aCharge({ endedAt: BigInt(count) })).taskId)
    const claims = await Promise.all(Array.from({ length: 8 }, claim))
    expect(claims.flat().map(({ taskId }) => taskId)).toEqual(taskIds)
  })

  test('given a try without a write, then again after 1, 4 and 16 minutes', async () => {
    const { taskId } = await aCharge()
    expect(tasksOf(await claim())).toEqual([taskId])
    for (const minutes of [1, 4, 16]) {
      await passMinutes(minutes - 0.1)
      expect(await claim()).toEqual([])
      await passMinutes(0.2)
      expect(tasksOf(await claim())).toEqual([taskId])
    }
  })

  test('given a try whose time to be recorded is over, then it is not recorded', async () => {
    await aCharge()
    const [call] = await claim()
    if (call === undefined) throw new Error('nothing is claimed')
    const intentId = randomUUID()
    await passMinutes(0.6)
    expect(await api.sql.begin((tx) => recordCall(tx, { id: call.id, intentId }))).toBe(false)
  })
})

describe('vaults that no curator approved', () => {
  test('share the daily limit of a day in turn, and approved ones come first', async () => {
    const busy = await aCharge({ endedAt: 1n })
    for (let count = 2; count < 8; count += 1) await aCharge({ vaultId: busy.vaultId, endedAt: BigInt(count) })
    const late = await aCharge({ endedAt: 50n })
    const approved = await aCharge({ endedAt: 99n })
    await approve(approved.vaultId)
    const calls = await claim()
    expect(calls).toHaveLength(DAILY_LIMIT + 1)
    expect(tasksOf(calls).slice(0, 3)).toEqual([approved.taskId, busy.taskId, late.taskId])
  })

  test('given a daily limit that is used up, then wait until a day has passed', async () => {
    for (let count = 0; count < DAILY_LIMIT + 1; count += 1) await aCharge({ endedAt: BigInt(count) })
    for (const { id } of await claim()) {
      await api.sql`update service.keeper_calls set intent_id = ${randomUUID()} where id = ${id}`
    }
    expect(await claim()).toEqual([])
    await passMinutes(23 * 60)
    // The calls of the first ones failed to settle, and are tried again before the last one.
    expect(await claim()).toEqual([])
    await passMinutes(61)
    expect(await claim()).toHaveLength(DAILY_LIMIT)
  })

  test('given tries that were refused, then these count for a minute alone', async () => {
    for (let count = 0; count < DAILY_LIMIT + 2; count += 1) await aCharge({ endedAt: BigInt(count) })
    const first = tasksOf(await claim())
    expect(first).toHaveLength(DAILY_LIMIT)
    expect(await claim()).toEqual([])
    await passMinutes(1.1)
    expect(await claim()).toHaveLength(DAILY_LIMIT)
  })

  test('given a daily limit of zero, then none is settled', async () => {
    await aCharge()
    expect(await claimCalls(api.sql, { dailyLimit: 0 })).toEqual([])
  })
})
