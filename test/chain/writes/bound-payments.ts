import { toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { finalizeSafeBlocks } from '../../../api/relayer/loops/finalize-safe-blocks.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

/** Runs the relay until the intent is completed or failed. */
async function settle(intent: BoundIntent): Promise<BoundIntent> {
  const loops = await harness.startRelay()
  try {
    return await harness.outcomeOf(intent.id)
  } finally {
    await loops.stop()
  }
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testBoundPayments(harnessOf: () => RelayHarness): void {
  describe('bound payments', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('a wallet that takes bound calls alone', () => {
      it('given its signed switch, then its plain payments revert and its bound ones act', async () => {
        const payer = await harness.wallets.funded(2n * REWARD)
        const switched = await settle(await harness.bindSwitch(payer, true))
        expect(switched).toMatchObject({ status: 'completed', result: { boundOnly: true } })
        const plain = await harness.bindCreate(payer)
        expect(await settle(plain)).toMatchObject({
          status: 'failed',
          refundStatus: null,
          terminalReason: expect.stringMatching(/takes bound calls alone/),
        })
        expect(await settle(await harness.bindBoundCreate(payer))).toMatchObject({ status: 'completed' })
        expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
      })
    })

    describe('a payment that is bound to its call', () => {
      it('given a relayer relays it under another number, then it is that write, completed and final', async () => {
        const payer = await harness.wallets.funded(2n * REWARD)
        const intent = await harness.bindBoundCreate(payer)
        const [relayer] = harness.deps.relayer.accounts
        const chainIntentId = toHex(crypto.getRandomValues(new Uint8Array(32)))
        const relayed = transactionOfIntent({ ...intent, chainIntentId }, harness.deps.deployment)
        await harness.wallets.sendAs(relayer.address, relayed)
        const [hash] = (await harness.stack.client.getBlock()).transactions
        const completed = await settle(intent)
        expect(completed).toMatchObject({ status: 'completed', txHash: hash, taskId: expect.any(String) })
        expect(await harness.effectsOf(intent)).toBe(0)
        expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
        await harness.index()
        await harness.stack.anvil.request('anvil_mine', ['0x80'])
        await finalizeSafeBlocks({ deps: harness.deps, results: new Map(), onSent: () => {} })
        const [row] = await harness.deps.sql`select status, watched from intents where id = ${intent.id}`
        expect(row).toEqual({ status: 'completed', watched: false })
      })
    })
  })
}
