import { encodeFunctionData, type Hex, numberToHex, type PrivateKeyAccount } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import type { Attempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { createRelayerBalances } from '../../../api/relayer/transactions/relayer-balances.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { byDepth } from '../../support/depth.ts'
import { getPayment, REWARD, type RelayHarness } from './relay-harness.ts'
import { cancelAuthorization, inOneTransaction, submitAlone, submitTo } from './usdc-calls.ts'

let harness: RelayHarness

const stranger = devAccount('bob').account.address
const owner = devAccount('owner').account.address
const POLLING = { interval: 20 }
/** Writes that are bound at the same time. */
const MANY = byDepth(12, 40)
const HIGH_FEES = { maxFeePerGas: '0x2540be4000', maxPriorityFeePerGas: '0x2540be4000', gas: '0x30d40' }

/** Relays until the test ends. */
async function relay(relayers = 1): Promise<void> {
  const loops = await harness.startRelay(relayers)
  onTestFinished(() => loops.stop())
}

/** Pauses entries of the market until the test ends. */
async function pauseEntries(): Promise<void> {
  const call = (functionName: 'pause' | 'unpause') => ({
    to: harness.stack.deployment.market,
    data: encodeFunctionData({ abi: taskMarketAbi, functionName }),
  })
  await harness.wallets.sendAs(owner, call('pause'))
  onTestFinished(() => harness.wallets.sendAs(owner, call('unpause')))
}

/** An intent whose transaction was sent and waits in the pool: the chain mines on request only. */
async function sendUnmined(payer: PrivateKeyAccount) {
  await harness.stack.anvil.request('evm_setAutomine', [false])
  const intent = await harness.bindCreate(payer)
  await relay()
  await expect.poll(async () => (await harness.attemptsOf(intent.id))[0]?.silentSeconds, POLLING).toBeTypeOf('number')
  const [attempt] = await harness.attemptsOf(intent.id)
  if (attempt === undefined) throw new Error('nothing was signed')
  return { intent, attempt }
}

/** Adds a call to the pool with fees that put it first in the next block. */
async function sendFirst(call: { to: Hex; data: Hex }): Promise<void> {
  await harness.stack.anvil.request('eth_sendTransaction', [{ from: stranger, ...call, ...HIGH_FEES }])
}

/** Mines the pool, and from then on each transaction immediately. */
async function mineOne(): Promise<void> {
  await harness.stack.anvil.request('evm_mine')
  await harness.stack.anvil.request('evm_setAutomine', [true])
}

/** Mines a block whose base fee is above the transaction's fees, also in the following blocks. */
async function raiseFeesAbove({ maxFeePerGas }: Attempt): Promise<void> {
  await harness.stack.anvil.request('anvil_setNextBlockBaseFeePerGas', [`0x${(maxFeePerGas * 4n).toString(16)}`])
  await mineOne()
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testOutbox(harnessOf: () => RelayHarness): void {
  describe('the outbox', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('an intent in the outbox', () => {
      it('given many at the same time on three relayers, then all complete and no nonce is skipped or used twice', async () => {
        const payer = await harness.wallets.funded(BigInt(MANY) * REWARD)
        const intents = await Promise.all(Array.from({ length: MANY }, () => harness.bindCreate(payer)))
        await relay(3)
        const outcomes = await Promise.all(intents.map(({ id }) => harness.outcomeOf(id)))
        expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'completed'))
        expect(new Set(outcomes.map(({ taskId }) => taskId)).size).toBe(MANY)
        expect(await harness.wallets.balanceOf(payer.address)).toBe(0n)
        for (const { address } of harness.deps.relayer.accounts.slice(0, 3)) {
          const [row] = await harness.deps.sql<{ next: bigint; signed: bigint }[]>`
        select next_nonce as next, (select count(distinct nonce) from attempts where relayer = ${address}) as signed
        from relayers where address = ${address}`
          const mined = await harness.deps.chain.getTransactionCount(address)
          expect(row?.next).toBe(mined)
        }
      })

      it('given one of two relayers is empty, then the other signs everything', async () => {
        const [empty, funded] = harness.deps.relayer.accounts
        if (funded === undefined) throw new Error('there is one relayer')
        const setBalance = (wei: bigint) =>
          harness.stack.anvil.request('anvil_setBalance', [empty.address, numberToHex(wei)])
        await setBalance(0n)
        onTestFinished(async () => void (await setBalance(10n ** 20n)))
        const payer = await harness.wallets.funded(4n * REWARD)
        const intents = await Promise.all([1, 2, 3, 4].map(() => harness.bindCreate(payer)))
        const accounts = [empty, funded] as const
        const relayer = { ...harness.deps.relayer, accounts, balances: createRelayerBalances(accounts, 3_000_000n) }
        const loops = await startLoops({ ...harness.deps, relayer }, [createTask])
        onTestFinished(() => loops.stop())
        for (const { id } of intents) {
          expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
          expect((await harness.attemptsOf(id)).map((attempt) => attempt.relayer)).toEqual([funded.address])
        }
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

    describe('an authorization that another wallet has submitted', () => {
      it('given one transfer and two used nonces in a transaction, then one payment is proven, and payments of others are not used', async () => {
        const { stack, wallets } = harness
        const victim = await wallets.funded(REWARD)
        const stranded = await harness.bindCreate(victim)
        await wallets.sendAs(stranger, submitAlone(stack.deployment, getPayment(stranded)))
        const payer = await wallets.funded(2n * REWARD)
        const [unpaid, paid] = [await harness.bindCreate(payer), await harness.bindCreate(payer)]
        // Uses the first one's nonce for a payment to the payer, in the transaction that settles the second.
        const toPayer = { ...getPayment(unpaid), to: payer.address }
        const signature = await payer.signTypedData({ ...transferTypedData(stack.deployment), message: toPayer })
        const calls = [
          submitTo(stack.deployment, { ...toPayer, signature }),
          submitAlone(stack.deployment, getPayment(paid)),
        ]
        await wallets.sendAs(stranger, inOneTransaction(stack.deployment.multicall3, calls))
        await relay()
        expect(await harness.outcomeOf(paid.id)).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
        expect(await harness.outcomeOf(unpaid.id)).toMatchObject({ status: 'held' })
        expect(await harness.outcomeOf(stranded.id)).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
        expect(await harness.effectsOf(stranded)).toBe(1)
        expect(await harness.effectsOf(unpaid)).toBe(0)
        expect(await wallets.balanceOf(victim.address)).toBe(0n)
        expect(await wallets.balanceOf(payer.address)).toBe(REWARD)
      })

      it('given it is mined before the service’s transaction, then that reverts and the write is relayed in prepaid mode', async () => {
        const payer = await harness.wallets.funded(3n * REWARD)
        const { intent } = await sendUnmined(payer)
        await sendFirst(submitAlone(harness.stack.deployment, getPayment(intent)))
        const { anvil } = harness.stack
        await anvil.request('evm_mine')
        await expect.poll(async () => (await harness.attemptsOf(intent.id)).length, POLLING).toBe(2)
        // The relay polls while the second transaction is unmined and the first one's revert is on chain.
        const [second] = await harness.attemptsOf(intent.id)
        await expect.poll(() => anvil.request('eth_getTransactionByHash', [second?.hash]), POLLING).not.toBeNull()
        await anvil.request('anvil_dropTransaction', [second?.hash])
        await expect.poll(() => anvil.request('eth_getTransactionByHash', [second?.hash]), POLLING).not.toBeNull()
        expect(await harness.find(intent.id)).toMatchObject({
          status: 'broadcast',
          relay: { mode: 'prepaid' },
          refundStatus: null,
        })
        await mineOne()
        const outcome = await harness.outcomeOf(intent.id)
        expect(outcome).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
        expect((await harness.attemptsOf(intent.id)).map(({ purpose }) => purpose)).toEqual(['call', 'call'])
        expect(await harness.effectsOf(intent)).toBe(1)
        expect(await harness.wallets.balanceOf(payer.address)).toBe(2n * REWARD)
      })
    })

    describe('a transaction without a receipt', () => {
      it('given its call would revert by now, then a cancellation transaction uses the nonce and the intent fails without a charge', async () => {
        const payer = await harness.wallets.funded(REWARD)
        const { intent, attempt } = await sendUnmined(payer)
        await sendFirst(await cancelAuthorization(harness.stack.deployment, payer, getPayment(intent).nonce))
        await raiseFeesAbove(attempt)
        const outcome = await harness.outcomeOf(intent.id)
        expect(outcome).toMatchObject({ status: 'failed', terminalReason: 'the payer cancelled the authorization' })
        expect((await harness.attemptsOf(intent.id)).map(({ purpose }) => purpose)).toEqual(['cancellation', 'call'])
        expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
        expect(await harness.deps.chain.getTransactionCount(attempt.relayer)).toBe(attempt.nonce + 1n)
      })
    })

    describe('a reorg', () => {
      it.each(byDepth([3], [1, 2, 3]))(
        'given one of depth %i undoes a completed write, then the same bytes are executed again, once',
        async (depth) => {
          const payer = await harness.wallets.funded(REWARD)
          const intent = await harness.bindCreate(payer)
          await relay()
          const first = await harness.outcomeOf(intent.id)
          await harness.stack.anvil.request('anvil_mine', [`0x${(depth - 1).toString(16)}`])
          await harness.stack.anvil.request('anvil_reorg', [depth, []])
          await expect.poll(async () => (await harness.find(intent.id)).blockHash, POLLING).not.toBe(first.blockHash)
          const second = await harness.outcomeOf(intent.id)
          expect(second).toMatchObject({ status: 'completed', txHash: first.txHash, taskId: first.taskId })
          expect(await harness.attemptsOf(intent.id)).toHaveLength(1)
          expect(await harness.effectsOf(intent)).toBe(1)
          expect(await harness.wallets.balanceOf(payer.address)).toBe(0n)
        },
      )
    })

    describe('a reorg that undoes a refund', () => {
      /** A write whose payment another wallet settled, whose call reverted, and which was refunded. */
      async function aRefund() {
        const payer = await harness.wallets.funded(REWARD)
        const intent = await harness.bindCreate(payer)
        await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(intent)))
        await pauseEntries()
        await relay()
        await expect.poll(async () => (await harness.find(intent.id)).refundStatus, POLLING).toBe('refunded')
        const refunded = await harness.find(intent.id)
        const receipt = await harness.deps.chain.getTransactionReceipt(refunded.refundTxHash as Hex)
        expect(refunded.refundBlockHash).toBe(receipt?.blockHash)
        return { payer, refunded }
      }

      it('given the refund was completed, then the same bytes refund again, once', async () => {
        const { payer, refunded } = await aRefund()
        await harness.stack.anvil.request('anvil_reorg', [1, []])
        await expect
          .poll(async () => {
            const { refundStatus, refundBlockHash } = await harness.find(refunded.id)
            return refundStatus === 'refunded' && refundBlockHash !== refunded.refundBlockHash
          }, POLLING)
          .toBe(true)
        expect(await harness.find(refunded.id)).toMatchObject({ status: 'failed', refundTxHash: refunded.refundTxHash })
        expect((await harness.attemptsOf(refunded.id)).filter(({ purpose }) => purpose === 'refund')).toHaveLength(1)
        expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
      })
    })
  })
}
