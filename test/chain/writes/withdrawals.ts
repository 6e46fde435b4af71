import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import type { TransferAuthorization } from '../../../api/payments/authorization.ts'
import { decodeTransfer } from '../../../api/payments/submission-use.ts'
import { returnOrphanedPayments } from '../../../api/relayer/loops/return-orphaned-payments.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { putScriptedWallet } from '../../support/scripted-contracts.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'
import { inOneTransaction, submitTo } from './usdc-calls.ts'

let harness: RelayHarness

const stranger = devAccount('bob').account.address
const POLLING = { interval: 20 }

interface Withdrawal {
  owner: PrivateKeyAccount
  to: Address
  intent: BoundIntent
}

async function aWithdrawal(funds = REWARD, changes: Partial<TransferAuthorization> = {}): Promise<Withdrawal> {
  const owner = await harness.wallets.funded(funds)
  const to = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address
  return { owner, to, intent: await harness.bindWithdrawal(owner, { to, ...changes }) }
}

async function relay(): Promise<void> {
  const loops = await harness.startRelay()
  onTestFinished(() => loops.stop())
}

function transferOf({ calldata }: BoundIntent): TransferAuthorization {
  return decodeTransfer(calldata)
}

/** Acts of any account with an authorization that it saw. */
async function submitAsStranger(transfer: TransferAuthorization): Promise<Hex> {
  await harness.wallets.sendAs(stranger, submitTo(harness.deps.deployment, transfer))
  const { transactions } = await harness.stack.client.getBlock()
  return transactions.at(-1) ?? expect.fail('an empty block')
}

/** Checks what the withdrawal moved: all of it, once, and what was recorded of it. */
async function expectMade({ owner, to, intent }: Withdrawal, left = 0n): Promise<BoundIntent> {
  const outcome = await harness.outcomeOf(intent.id)
  expect(outcome).toMatchObject({
    status: 'completed',
    refundStatus: null,
    result: { txHash: outcome.txHash, amountBaseUnits: String(REWARD) },
  })
  expect(await harness.wallets.balanceOf(to)).toBe(REWARD)
  expect(await harness.wallets.balanceOf(owner.address)).toBe(left)
  return outcome
}

async function expectFailed({ owner, to, intent }: Withdrawal, reason: RegExp, left = REWARD): Promise<void> {
  expect(await harness.outcomeOf(intent.id)).toMatchObject({
    status: 'failed',
    refundStatus: null,
    terminalReason: expect.stringMatching(reason),
  })
  expect(await harness.wallets.balanceOf(to)).toBe(0n)
  expect(await harness.wallets.balanceOf(owner.address)).toBe(left)
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testWithdrawals(harnessOf: () => RelayHarness): void {
  describe('withdrawals of USDC', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('a withdrawal in the outbox', () => {
      it('given the balance, then USDC itself moves it, by one transaction of a relayer', async () => {
        const withdrawal = await aWithdrawal(2n * REWARD)
        await relay()
        const outcome = await expectMade(withdrawal, REWARD)
        const attempts = await harness.attemptsOf(withdrawal.intent.id)
        expect(attempts.map(({ hash, purpose }) => ({ hash, purpose }))).toEqual([
          { hash: outcome.txHash, purpose: 'call' },
        ])
        const sent = await harness.deps.chain.getTransaction(outcome.txHash as Hex)
        expect(sent?.to).toBe(harness.deps.deployment.usdc)
      })

      it('given a contract wallet, then its own check decides, within the gas of foreign calls', async () => {
        const withdrawal = await aWithdrawal()
        const wallet = await putScriptedWallet(harness.stack.anvil, withdrawal.owner.address)
        await relay()
        const outcome = await expectMade(withdrawal)
        expect(outcome).toMatchObject({ relayClass: 'foreign' })
        expect(wallet).toBeDefined()
      })
    })

    describe('the same authorization, submitted by a stranger', () => {
      it('given before the service sends it, then the withdrawal completes with the stranger’s transaction', async () => {
        const withdrawal = await aWithdrawal()
        const hash = await submitAsStranger(transferOf(withdrawal.intent))
        await relay()
        expect(await expectMade(withdrawal)).toMatchObject({ txHash: hash })
        expect(await harness.attemptsOf(withdrawal.intent.id)).toEqual([])
      })

      it('given both in one block, the stranger first, then it completes, and money moves once', async () => {
        const withdrawal = await aWithdrawal(2n * REWARD)
        const { anvil } = harness.stack
        await anvil.request('evm_setAutomine', [false])
        await relay()
        await expect.poll(async () => (await harness.attemptsOf(withdrawal.intent.id)).length, POLLING).toBe(1)
        await expect.poll(() => anvil.request('txpool_status', []), POLLING).toMatchObject({ pending: '0x1' })
        const call = submitTo(harness.deps.deployment, transferOf(withdrawal.intent))
        const fees = { maxFeePerGas: '0x2540be4000', maxPriorityFeePerGas: '0x2540be4000', gas: '0x30d40' }
        const hash = await anvil.request('eth_sendTransaction', [{ from: stranger, ...call, ...fees }])
        await anvil.request('evm_mine', [])
        await anvil.request('evm_setAutomine', [true])
        expect(await expectMade(withdrawal, REWARD)).toMatchObject({ txHash: hash })
      })

      it('given among other transfers of one transaction, then it is found by the log after its own nonce', async () => {
        const withdrawal = await aWithdrawal()
        const other = await aWithdrawal(REWARD)
        const calls = [other, withdrawal].map(({ intent }) => submitTo(harness.deps.deployment, transferOf(intent)))
        const { multicall3 } = harness.stack.deployment
        await harness.wallets.sendAs(stranger, inOneTransaction(multicall3, calls))
        await relay()
        const [one, two] = [await expectMade(withdrawal), await expectMade(other)]
        expect(one.txHash).toBe(two.txHash)
      })

      it('given after the write had failed, then it is completed after all', async () => {
        const withdrawal = await aWithdrawal(REWARD - 1n)
        await relay()
        await expectFailed(withdrawal, /balance/i, REWARD - 1n)
        const donor = await aWithdrawal(2n * REWARD, {
          to: withdrawal.owner.address.toLowerCase() as Address,
          value: 1n,
        })
        await harness.outcomeOf(donor.intent.id)
        const hash = await submitAsStranger(transferOf(withdrawal.intent))
        await returnOrphanedPayments(harness.deps)
        await expect.poll(async () => (await harness.find(withdrawal.intent.id)).status, POLLING).toBe('completed')
        expect(await expectMade(withdrawal)).toMatchObject({ txHash: hash })
      })
    })

    describe('an authorization that is used otherwise', () => {
      it.each([
        ['to another account', { to: stranger.toLowerCase() as Address }],
        ['of another amount', { value: REWARD - 1n }],
      ])('given its nonce was used for a transfer %s, then it fails, and is never told as done', async (_, changes) => {
        const withdrawal = await aWithdrawal()
        const { nonce, to } = transferOf(withdrawal.intent)
        const other = await harness.bindWithdrawal(withdrawal.owner, { to, nonce, ...changes }).catch(() => null)
        expect(other).toBeNull()
        const signed = await harness.signTransfer(withdrawal.owner, { to, nonce, ...changes })
        await submitAsStranger(signed)
        await relay()
        expect(await harness.outcomeOf(withdrawal.intent.id)).toMatchObject({
          status: 'failed',
          terminalReason: expect.stringContaining('another transfer'),
        })
      })
    })

    describe('a reorg', () => {
      it('given one undoes a withdrawal, then it is made again, once', async () => {
        const withdrawal = await aWithdrawal(2n * REWARD)
        await relay()
        const first = await expectMade(withdrawal, REWARD)
        await harness.stack.anvil.request('anvil_mine', ['0x2'])
        await harness.stack.anvil.request('anvil_reorg', [3, []])
        await expect
          .poll(async () => (await harness.find(withdrawal.intent.id)).blockHash, POLLING)
          .not.toBe(first.blockHash)
        await expectMade(withdrawal, REWARD)
        expect(await harness.attemptsOf(withdrawal.intent.id)).toHaveLength(1)
      })
    })
  })
}
