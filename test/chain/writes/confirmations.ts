import type { Hex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInBloom } from '../../../api/chain/bloom.ts'
import type { Chain } from '../../../api/chain/chain.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { watchBroadcast } from '../../../api/relayer/loops/watch-broadcast.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

const POLLING = { interval: 20 }
/** A node that shows no receipt. */
const withoutReceipts: Partial<Chain> = { getTransactionReceipt: async () => null }
/** On a busy machine the transaction would be replaced before the loops stop, and then found relayed. */
const unreplaced = { RESEND_AFTER_MS: 60_000, REPLACE_AFTER_MS: 60_000 }
const depsWith = (changes: Partial<Chain>) => ({
  ...harness.deps,
  config: { ...harness.deps.config, ...unreplaced },
  chain: { ...harness.deps.chain, ...changes },
})

/** Registers these tests, on a relay that the caller starts and ends. */
export function testConfirmations(harnessOf: () => RelayHarness): void {
  describe('confirmations', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    it('given no receipt, then the indexer’s row and the logs of its block complete the write', async () => {
      const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
      const loops = await startLoops(depsWith(withoutReceipts), [createTask])
      await expect.poll(() => harness.effectsOf(intent), POLLING).toBe(1)
      await loops.stop()
      const results = new Map([[createTask.operation, createTask.result]])
      const watch = () => watchBroadcast({ deps: depsWith(withoutReceipts), results, onSent: () => {} })
      await watch()
      expect(await harness.find(intent.id)).toMatchObject({ status: 'broadcast' })
      await harness.index()
      await watch()
      const completed = await harness.find(intent.id)
      expect(completed).toMatchObject({ status: 'completed', result: { success: true, taskId: completed.taskId } })
      const receipt = await harness.deps.chain.getTransactionReceipt(completed.txHash as Hex)
      expect(completed).toMatchObject({ blockNumber: receipt?.blockNumber, blockHash: receipt?.blockHash })
      const { logsBloom } = await harness.stack.client.getBlock({ blockNumber: completed.blockNumber ?? 0n })
      expect(isInBloom(logsBloom, harness.deps.deployment.forwarder)).toBe(true)
    })

    it('given a service that is stopped while it relays, then every signed transaction was sent before it ended', async () => {
      const payer = await harness.wallets.funded(12n * REWARD)
      const intents = await Promise.all(Array.from({ length: 12 }, () => harness.bindCreate(payer)))
      const loops = await startLoops(harness.deps, [createTask])
      const ids = intents.map(({ id }) => id)
      const signed = () => harness.deps.sql`select hash from attempts where intent_id = any(${ids}::uuid[])`
      await expect.poll(async () => (await signed()).length, POLLING).toBeGreaterThan(0)
      await loops.stop()
      expect(await harness.deps.sql`select hash from attempts where sent_at is null`).toEqual([])
      const again = await startLoops(harness.deps, [createTask])
      for (const { id } of intents) expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
      await again.stop()
    })
  })
}
