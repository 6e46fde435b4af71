import { type Hex, numberToHex, type PrivateKeyAccount, pad } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Chain } from '../../../api/chain/chain.ts'
import type { Config } from '../../../api/config.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

/** Takes every signature up to the block in its first slot; from then on it takes all gas. */
const TOGGLING_WALLET = '0x5f544311601557631626ba7e60e01b5f5260205ff35b601556'

async function makeContract(account: PrivateKeyAccount, lastBlock: bigint): Promise<void> {
  const { anvil } = harness.stack
  await anvil.request('anvil_setStorageAt', [account.address, pad('0x0'), pad(numberToHex(lastBlock))])
  await anvil.request('anvil_setCode', [account.address, TOGGLING_WALLET])
}

async function relayWith(answers: Partial<Chain> = {}, settings: Partial<Config> = {}): Promise<void> {
  const { chain, config } = harness.deps
  const deps = { ...harness.deps, chain: { ...chain, ...answers }, config: { ...config, ...settings } }
  const loops = await startLoops(deps, [createTask])
  onTestFinished(() => loops.stop())
}

async function usedWei(): Promise<bigint> {
  const [row] = await harness.deps.sql<{ used: bigint }[]>`select sum(used_wei) as used from service.gas_accounts`
  return row?.used ?? 0n
}

async function costOf(hash: Hex | null): Promise<bigint> {
  const mined = hash === null ? null : await harness.deps.chain.getTransactionReceipt(hash)
  if (mined?.gasWei === undefined || mined.gasWei === null) throw new Error('it was not mined')
  return mined.gasWei
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testForeignCalls(harnessOf: () => RelayHarness): void {
  describe('calls that run code of their payer', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('given a payer that becomes a contract after bind', () => {
      it('when it burns all gas once it is sent, then that is its ceiling and no more, and its money stays', async () => {
        const before = await usedWei()
        const payer = await harness.wallets.funded(REWARD)
        const intent = await harness.bindCreate(payer)
        await makeContract(payer, (await harness.deps.chain.latestHead()).number)
        await relayWith()
        const outcome = await harness.outcomeOf(intent.id)
        expect(outcome).toMatchObject({ status: 'failed', refundStatus: null })
        expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
        const attempts = await harness.attemptsOf(intent.id)
        expect(attempts.map(({ gasLimit }) => gasLimit)).toEqual([600_000n])
        expect((await usedWei()) - before).toBe(await costOf(outcome.txHash))
      })
    })

    describe('given a contract’s transaction that no block takes, and fees that rise', () => {
      async function setAsideFor(intentId: string): Promise<bigint> {
        const [row] = await harness.deps.sql<{ wei: bigint }[]>`
      select coalesce(gas_reserved_wei, 0) as wei from intents where id = ${intentId}`
        return row?.wei ?? 0n
      }

      it('when the day has less, then it is cancelled, the cancellation is charged, and the write waits', async () => {
        const before = await usedWei()
        const ceilingWei = 600_000n * (await harness.deps.chain.estimateFeesPerGas()).maxFeePerGas
        const payer = await harness.wallets.funded(REWARD)
        const intent = await harness.bindCreate(payer)
        await makeContract(payer, 1n << 64n)
        await harness.stack.anvil.request('evm_setAutomine', [false])
        const estimateFeesPerGas = async () => {
          const current = await harness.deps.chain.estimateFeesPerGas()
          const isSigned = (await harness.attemptsOf(intent.id)).length > 0
          return isSigned ? { ...current, maxFeePerGas: current.maxFeePerGas * 20n } : current
        }
        await relayWith({ estimateFeesPerGas }, { FOREIGN_WEI_PER_DAY: before + ceilingWei * 2n })
        await expect.poll(async () => (await harness.attemptsOf(intent.id)).length).toBe(2)
        const [cancellation, first] = await harness.attemptsOf(intent.id)
        if (cancellation === undefined || first === undefined) throw new Error('it was not replaced')
        expect([cancellation.purpose, first.purpose]).toEqual(['cancellation', 'call'])
        const share = await setAsideFor(intent.id)
        await harness.stack.anvil.request('evm_mine')
        await expect.poll(() => harness.find(intent.id)).toMatchObject({ status: 'recorded' })
        expect(await setAsideFor(intent.id)).toBe(share - (await costOf(cancellation.hash)))
        expect((await usedWei()) - before).toBe(share)
        expect(await harness.attemptsOf(intent.id)).toHaveLength(2)
        await harness.stack.anvil.request('evm_increaseTime', [400])
        await harness.stack.anvil.request('evm_mine')
        expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'failed' })
        expect((await usedWei()) - before).toBe(await costOf(cancellation.hash))
      })
    })
  })
}
