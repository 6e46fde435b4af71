import type { Address } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Deps } from '../../../api/deps.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { REFUND_GAS } from '../../../api/intents/refund-limits.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { putScriptedWallet, type ScriptedWallet } from '../../support/scripted-contracts.ts'
import { aPendingRefund, refusingWhenMined, takeTurn, withWeiPerUsdc } from './refunds.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness
/** One USDC is worth so much ether that every refund is worth its gas. */
let generous: Deps

/** Signs for the contract wallets of these tests. */
const owner = devAccount('carol').account

/** A pending refund of a payer that is a contract, and has no key. */
async function aContractsRefund(): Promise<{ wallet: ScriptedWallet; payer: Address; intent: BoundIntent }> {
  const { address: payer } = await harness.wallets.funded(REWARD)
  const wallet = await putScriptedWallet(harness.stack.anvil, payer)
  return { wallet, payer, intent: await aPendingRefund(harness, { signer: owner, payer }) }
}

/** Seconds until a pending refund's next turn; null when it is not pending. */
async function pauseOf({ id }: BoundIntent): Promise<number | null> {
  const [row] = await harness.deps.sql<{ pause: number }[]>`
    select extract(epoch from relay_after - now())::float8 as pause from intents
    where id = ${id} and refund_status = 'pending'`
  return row === undefined ? null : Math.round(row.pause)
}

async function listedOf({ id }: BoundIntent) {
  const [row] = await harness.deps.sql<{ owed: bigint; finding: string }[]>`
    select owed_base_units as owed, finding from failed_refunds where id = ${id}`
  return row ?? null
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testContractRefunds(harnessOf: () => RelayHarness): void {
  describe('refunds to contracts', () => {
    beforeAll(() => {
      harness = harnessOf()
      generous = withWeiPerUsdc(harness.deps, Number.MAX_SAFE_INTEGER)
    })

    describe('a refund to a contract that answers otherwise in the block than in a simulation', () => {
      it('given a flag is set between simulation and block, then five are mined with growing pauses, and more when an operator retries it', async () => {
        const { wallet, payer, intent } = await aContractsRefund()
        const refusing = refusingWhenMined(generous, wallet)
        const pauses: number[] = []
        for (let time = 0; time < 6; time += 1) {
          await takeTurn(refusing, intent)
          const pause = await pauseOf(intent)
          if (pause !== null) pauses.push(pause)
        }
        const attempts = await harness.attemptsOf(intent.id)
        expect(attempts.map(({ purpose }) => purpose)).toEqual(Array(5).fill('refund'))
        expect(attempts.every(({ gasLimit }) => gasLimit <= REFUND_GAS)).toBe(true)
        expect(pauses).toEqual([15, 60, 240, 960])
        expect(await listedOf(intent)).toMatchObject({
          owed: REWARD,
          finding: expect.stringMatching(/^transaction 0x[0-9a-f]{64} was mined and gave nothing back/),
        })

        const retry = async () => {
          const [row] = await harness.deps.sql<{ retried: boolean }[]>`select retry_refund(${intent.id}) as retried`
          return row?.retried
        }
        expect([await retry(), await retry(), await listedOf(intent)]).toEqual([true, false, null])
        await takeTurn(refusing, intent)
        expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'failed' })
        expect(await harness.attemptsOf(intent.id)).toHaveLength(6)
        expect(await retry()).toBe(true)
        await takeTurn(harness.deps, intent)
        expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'refunded' })
        expect(await harness.wallets.balanceOf(payer)).toBe(REWARD)
      })
    })
  })
}
