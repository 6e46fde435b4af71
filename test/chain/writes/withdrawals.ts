import type { Address, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { decodeTransfer } from '../../../api/payments/submission-use.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { putScriptedWallet } from '../../support/scripted-contracts.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'
import { submitTo } from './usdc-calls.ts'

let harness: RelayHarness

const stranger = devAccount('bob').account.address
const POLLING = { interval: 20 }

interface Withdrawal {
  owner: PrivateKeyAccount
  to: Address
  intent: BoundIntent
}

async function aWithdrawal(funds = REWARD): Promise<Withdrawal> {
  const owner = await harness.wallets.funded(funds)
  const to = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address
  return { owner, to, intent: await harness.bindWithdrawal(owner, to) }
}

async function relay(): Promise<void> {
  const loops = await harness.startRelay()
  onTestFinished(() => loops.stop())
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

/** Registers these tests, on a relay that the caller starts and ends. */
export function testWithdrawals(harnessOf: () => RelayHarness): void {
  describe('withdrawals of USDC', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('a withdrawal in the outbox', () => {
      it('given a contract wallet, then its own check decides, within the gas of foreign calls', async () => {
        const withdrawal = await aWithdrawal()
        await putScriptedWallet(harness.stack.anvil, withdrawal.owner.address)
        await relay()
        expect(await expectMade(withdrawal)).toMatchObject({ relayClass: 'foreign' })
      })
    })

    describe('the same authorization, submitted by a stranger', () => {
      it('given both in one block, the stranger first, then it completes, and money moves once', async () => {
        const withdrawal = await aWithdrawal(2n * REWARD)
        const { anvil } = harness.stack
        await anvil.request('evm_setAutomine', [false])
        await relay()
        await expect.poll(async () => (await harness.attemptsOf(withdrawal.intent.id)).length, POLLING).toBe(1)
        await expect.poll(() => anvil.request('txpool_status', []), POLLING).toMatchObject({ pending: '0x1' })
        const call = submitTo(harness.deps.deployment, decodeTransfer(withdrawal.intent.calldata))
        const fees = { maxFeePerGas: '0x2540be4000', maxPriorityFeePerGas: '0x2540be4000', gas: '0x30d40' }
        const hash = await anvil.request('eth_sendTransaction', [{ from: stranger, ...call, ...fees }])
        await anvil.request('evm_mine', [])
        await anvil.request('evm_setAutomine', [true])
        expect(await expectMade(withdrawal, REWARD)).toMatchObject({ txHash: hash })
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
