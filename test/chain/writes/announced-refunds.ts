import { type Address, encodeFunctionData } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { Deps } from '../../../api/deps.ts'
import { toIntentView } from '../../../api/features/intents/intents.mapper.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { aPendingRefund, takeTurn, withWeiPerUsdc } from './refunds.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

const DAY = 86_400

let harness: RelayHarness
/** Every refund is worth its gas. */
let deps: Deps

const guardian = devAccount('evaluator').account.address

async function sendToForwarder(
  from: Address,
  functionName: 'setGuardian' | 'setPrepaidPerDay' | 'vetoRefund' | 'executeRefund',
  args: readonly unknown[],
): Promise<void> {
  const data = encodeFunctionData({ abi: paymentForwarderAbi, functionName, args } as never)
  await harness.wallets.sendAs(from, { to: harness.deps.deployment.forwarder, data })
}

async function passTime(seconds: number): Promise<void> {
  await harness.stack.anvil.request('evm_increaseTime', [seconds])
  await harness.stack.anvil.request('anvil_mine', [])
}

/** The id of the newest announced refund. */
async function newestRefundId(): Promise<`0x${string}`> {
  const logs = await harness.stack.client.getContractEvents({
    address: harness.deps.deployment.forwarder,
    abi: paymentForwarderAbi,
    eventName: 'RefundAnnounced',
    fromBlock: 0n,
    strict: true,
  })
  const newest = logs.at(-1)
  if (newest === undefined) throw new Error('no refund was announced')
  return newest.args.refundId
}

/** A pending refund on a day whose limit does not admit it. */
async function aRefundAboveTheLimit(): Promise<{ payer: Address; intent: BoundIntent }> {
  await sendToForwarder(devAccount('owner').account.address, 'setPrepaidPerDay', [REWARD - 1n])
  const signer = await harness.wallets.funded(REWARD)
  return { payer: signer.address, intent: await aPendingRefund(harness, { signer }) }
}

const viewOf = async ({ id }: BoundIntent) => toIntentView(await harness.find(id)).refund
const purposesOf = async ({ id }: BoundIntent) => (await harness.attemptsOf(id)).map(({ purpose }) => purpose).reverse()

/** Registers these tests, on a relay that the caller starts and ends. */
export function testAnnouncedRefunds(harnessOf: () => RelayHarness): void {
  describe('refunds above the limit', () => {
    beforeAll(async () => {
      harness = harnessOf()
      deps = withWeiPerUsdc(harness.deps, Number.MAX_SAFE_INTEGER)
      await sendToForwarder(devAccount('owner').account.address, 'setGuardian', [guardian])
    })

    describe('a refund above the limit of the day', () => {
      it('given a turn, then it is announced, and it waits until a day later', async () => {
        const { payer, intent } = await aRefundAboveTheLimit()
        await takeTurn(deps, intent)
        await takeTurn(deps, intent)
        await takeTurn(deps, intent)
        expect(await purposesOf(intent)).toEqual(['announcement'])
        const { timestamp } = await harness.deps.chain.latestHead()
        const { refundNotBefore } = await harness.find(intent.id)
        expect(Number(refundNotBefore)).toBeGreaterThan(Number(timestamp) + DAY - 60)
        expect(await viewOf(intent)).toEqual({
          status: 'pending',
          txHash: null,
          notBefore: new Date(Number(refundNotBefore) * 1000).toISOString(),
        })

        await passTime(DAY)
        await takeTurn(deps, intent)
        expect(await purposesOf(intent)).toEqual(['announcement', 'refund'])
        expect(await viewOf(intent)).toEqual({ status: 'refunded', txHash: expect.any(String) })
        expect(await harness.wallets.balanceOf(payer)).toBe(REWARD)
      })

      it('given the guardian vetoes it, then it is left to an operator, whose retry announces it once more', async () => {
        const { intent } = await aRefundAboveTheLimit()
        await takeTurn(deps, intent)
        await takeTurn(deps, intent)
        await sendToForwarder(guardian, 'vetoRefund', [await newestRefundId()])
        await takeTurn(deps, intent)
        expect(await viewOf(intent)).toMatchObject({ status: 'failed' })
        const [row] = await harness.deps.sql`select finding from failed_refunds where id = ${intent.id}`
        expect(row).toEqual({ finding: 'the guardian vetoed the announced refund' })

        await harness.deps.sql`select retry_refund(${intent.id})`
        await takeTurn(deps, intent)
        expect(await purposesOf(intent)).toEqual(['announcement', 'announcement'])
      })
    })
  })
}
