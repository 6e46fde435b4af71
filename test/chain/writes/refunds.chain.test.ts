import { type Address, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import type { Deps } from '../../../api/deps.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { REFUND_GAS } from '../../../api/intents/refund-limits.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { putScriptedWallet, type ScriptedWallet } from '../../support/scripted-contracts.ts'
import {
  aPendingRefund,
  refusingWhenMined,
  signAndSend,
  takeTurn,
  watchRefundsOnce,
  withWeiPerUsdc,
} from './refunds.ts'
import { REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'

let harness: RelayHarness
/** One USDC is worth so much ether that every refund is worth its gas. */
let generous: Deps
beforeAll(async () => {
  harness = await startRelayHarness()
  generous = withWeiPerUsdc(harness.deps, Number.MAX_SAFE_INTEGER)
})
afterAll(() => harness?.stop())

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

describe('a refund to a contract that answers otherwise in the block than in a simulation', () => {
  it('given a transaction was mined for nothing, then the relay leaves it alone for a while', async () => {
    const { wallet, intent } = await aContractsRefund()
    await wallet.refuse('priced')
    Object.assign(harness.deps.config, { WEI_PER_USDC: Number.MAX_SAFE_INTEGER })
    const loops = await harness.startRelay()
    try {
      await expect.poll(() => pauseOf(intent), { interval: 20 }).toBeGreaterThan(3)
      expect((await harness.attemptsOf(intent.id)).length).toBeLessThanOrEqual(1)
    } finally {
      await loops.stop()
    }
  })

  it('given a flag is set between simulation and block, then five are mined with growing pauses, and no more', async () => {
    const { wallet, payer, intent } = await aContractsRefund()
    const deps = refusingWhenMined(generous, wallet)
    const pauses: number[] = []
    for (let time = 0; time < 8; time += 1) {
      await takeTurn(deps, intent)
      const pause = await pauseOf(intent)
      if (pause !== null) pauses.push(pause)
    }
    const attempts = await harness.attemptsOf(intent.id)
    expect(attempts.map(({ purpose }) => purpose)).toEqual(Array(5).fill('refund'))
    expect(attempts.every(({ gasLimit }) => gasLimit <= REFUND_GAS)).toBe(true)
    expect(pauses).toEqual([15, 60, 240, 960])
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'failed' })
    expect(await listedOf(intent)).toMatchObject({
      owed: REWARD,
      finding: expect.stringMatching(/^transaction 0x[0-9a-f]{64} was mined and gave nothing back/),
    })
    expect(await harness.wallets.balanceOf(payer)).toBe(0n)
  })

  it('given an operator retries it, then it is tried once more, and goes back when the wallet accepts it', async () => {
    const { wallet, payer, intent } = await aContractsRefund()
    const refusing = refusingWhenMined(generous, wallet)
    for (let time = 0; time < 5; time += 1) await takeTurn(refusing, intent)
    const retry = async () => {
      const [row] = await harness.deps.sql<{ retried: boolean }[]>`select retry_refund(${intent.id}) as retried`
      return row?.retried
    }
    expect(await retry()).toBe(true)
    expect(await retry()).toBe(false)
    expect(await listedOf(intent)).toBeNull()
    await takeTurn(refusing, intent)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'failed' })
    expect(await harness.attemptsOf(intent.id)).toHaveLength(6)
    expect(await retry()).toBe(true)
    await takeTurn(harness.deps, intent)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'refunded' })
    expect(await harness.wallets.balanceOf(payer)).toBe(REWARD)
  })
})

describe('what a refund may cost', () => {
  it('given a contract’s refund is worth less than its gas, then nothing is sent and it is left to an operator', async () => {
    const { intent } = await aContractsRefund()
    await takeTurn(withWeiPerUsdc(harness.deps, 1), intent)
    expect(await harness.attemptsOf(intent.id)).toEqual([])
    expect(await listedOf(intent)).toMatchObject({ finding: expect.stringContaining('more than 1000000 base units') })
  })

  it('given one attempt is worth its gas, and two together are not, then that is left to an operator', async () => {
    const { wallet, intent } = await aContractsRefund()
    const { maxFeePerGas } = await harness.deps.chain.estimateFeesPerGas()
    // One USDC, which is what goes back, pays for one attempt and not for two: each takes 100,000 to 200,000 gas.
    const deps = refusingWhenMined(withWeiPerUsdc(harness.deps, Number(200_000n * maxFeePerGas)), wallet)
    for (let time = 0; time < 3; time += 1) await takeTurn(deps, intent)
    expect(await listedOf(intent)).toMatchObject({ finding: expect.stringContaining('in 2 attempts, more than') })
    expect(await harness.attemptsOf(intent.id)).toHaveLength(1)
  })

  it('given its transaction is stuck and fees rise beyond its worth, then it is cancelled and left to an operator', async () => {
    const { intent } = await aContractsRefund()
    const { anvil } = harness.stack
    onTestFinished(async () => {
      await anvil.request('evm_setAutomine', [true])
    })
    const { chain } = harness.deps
    const { maxFeePerGas } = await chain.estimateFeesPerGas()
    const deps = withWeiPerUsdc(harness.deps, Number(REFUND_GAS * maxFeePerGas * 2n))
    const risen: Chain['estimateFeesPerGas'] = async () => {
      const fees = await chain.estimateFeesPerGas()
      return { ...fees, maxFeePerGas: fees.maxFeePerGas * 50n }
    }
    await anvil.request('evm_setAutomine', [false])
    await signAndSend(deps, intent)
    await harness.deps.sql`update attempts set created_at = now() - interval '1 hour' where intent_id = ${intent.id}`
    await watchRefundsOnce({ ...deps, chain: { ...chain, estimateFeesPerGas: risen } })
    const [replacement, first] = await harness.attemptsOf(intent.id)
    expect([replacement?.purpose, first?.purpose]).toEqual(['cancellation', 'refund'])
    await anvil.request('evm_mine')
    await watchRefundsOnce(deps)
    await anvil.request('evm_setAutomine', [true])
    await takeTurn({ ...deps, chain: { ...chain, estimateFeesPerGas: risen } }, intent)
    expect(await listedOf(intent)).toMatchObject({ finding: expect.stringContaining('more than 1000000 base units') })
    expect(await harness.attemptsOf(intent.id)).toHaveLength(2)
  })

  it('given a payer without code, then its first transaction is made whatever it is worth', async () => {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await aPendingRefund(harness, { signer: payer })
    await takeTurn(withWeiPerUsdc(harness.deps, 1), intent)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'refunded' })
    expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
  })

  it('given a wallet whose check takes more gas than a refund may, then an operator can allow it that much', async () => {
    const { payer, intent } = await aContractsRefund()
    // Counts down from its first slot, then accepts: about 30 gas a round.
    const { anvil } = harness.stack
    await anvil.request('anvil_setStorageAt', [payer, pad('0x0'), numberToHex(20_000n, { size: 32 })])
    await anvil.request('anvil_setCode', [payer, '0x5f545b8015600f57600190036002565b631626ba7e60e01b5f5260205ff3'])
    await takeTurn(generous, intent)
    expect(await harness.attemptsOf(intent.id)).toEqual([])
    expect(await listedOf(intent)).toMatchObject({ finding: expect.stringContaining(`more than the ${REFUND_GAS}`) })
    await harness.deps.sql`select retry_refund(${intent.id}, 1500000)`
    await takeTurn(withWeiPerUsdc(harness.deps, 1), intent)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'refunded' })
  })

  it('given a wallet that gives no answer, then it rests longer and longer and takes nothing from others', async () => {
    const { payer, intent } = await aContractsRefund()
    const simulate: Chain['simulate'] = () => Promise.reject(new ChainUnavailable(`${payer} is slow`))
    await takeTurn({ ...generous, chain: { ...harness.deps.chain, simulate } }, intent)
    expect(await pauseOf(intent)).toBe(5)
    await harness.deps.sql`update intents set status_at = now() - interval '1 hour' where id = ${intent.id}`
    await takeTurn({ ...generous, chain: { ...harness.deps.chain, simulate } }, intent)
    expect(await pauseOf(intent)).toBe(900)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'pending' })
  })
})
