import type { PrivateKeyAccount } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { reconcileHeld } from '../../../api/relayer/loops/reconcile-held.ts'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { getPayment, REWARD, type RelayHarness } from './relay-harness.ts'
import { submitTo } from './usdc-calls.ts'

let harness: RelayHarness

const stranger = devAccount('bob').account.address

/** An intent held for an operator, for an unknown reason. */
async function aHeldIntent(payer: PrivateKeyAccount): Promise<BoundIntent> {
  const intent = await harness.bindCreate(payer)
  await harness.deps.sql`update intents set status = 'held', failure = 'unknown' where id = ${intent.id}`
  return await harness.find(intent.id)
}

/** Schedules its next poll attempt now, and reconciles it. */
async function reconcile(intent: BoundIntent): Promise<BoundIntent> {
  await harness.deps.sql`select look_again(${intent.id})`
  await reconcileHeld(harness.deps)
  return await harness.find(intent.id)
}

/** Runs the relay until the intent is completed or failed. */
async function settle(intent: BoundIntent): Promise<BoundIntent> {
  const loops = await harness.startRelay()
  try {
    await expect.poll(async () => (await harness.find(intent.id)).status, { interval: 20 }).toMatch(/completed|failed/)
    return await harness.find(intent.id)
  } finally {
    await loops.stop()
  }
}

/** Uses the intent's nonce for another payment: to the payer itself. */
async function useElsewhere(payer: PrivateKeyAccount, intent: BoundIntent): Promise<void> {
  const message = { ...getPayment(intent), to: payer.address }
  const signature = await payer.signTypedData({ ...transferTypedData(harness.stack.deployment), message })
  await harness.wallets.sendAs(stranger, submitTo(harness.stack.deployment, { ...message, signature }))
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testHeldIntents(harnessOf: () => RelayHarness): void {
  describe('held intents', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('a held intent that is reconciled', () => {
      it('given it was executed, then it is completed with that transaction', async () => {
        const payer = await harness.wallets.funded(REWARD)
        const intent = await aHeldIntent(payer)
        const [relayer] = harness.deps.relayer.accounts
        await harness.wallets.sendAs(relayer.address, transactionOfIntent(intent, harness.deps.deployment))
        expect(await reconcile(intent)).toMatchObject({ status: 'broadcast', txHash: expect.any(String) })
        expect(await settle(intent)).toMatchObject({ status: 'completed', taskId: expect.any(String) })
        expect(await harness.effectsOf(intent)).toBe(1)
        expect(await harness.wallets.balanceOf(payer.address)).toBe(0n)
      })

      it('given its authorization paid another account, then it is held until that block is safe, then fails without a charge', async () => {
        const payer = await harness.wallets.funded(REWARD)
        const intent = await aHeldIntent(payer)
        await useElsewhere(payer, intent)
        const minedIn = (await harness.deps.chain.latestHead()).number
        const pollWith = async (safe: bigint) => {
          const chain = { ...harness.deps.chain, safeBlockNumber: async () => safe }
          await harness.deps.sql`select look_again(${intent.id})`
          await reconcileHeld({ ...harness.deps, chain })
          return await harness.find(intent.id)
        }
        expect(await pollWith(minedIn - 1n)).toMatchObject({ status: 'held', looks: 1 })
        const [row] = await harness.deps.sql`select held_until_block as until from held_intents where id = ${intent.id}`
        expect(row).toEqual({ until: minedIn })
        expect(await pollWith(minedIn)).toMatchObject({
          status: 'failed',
          refundStatus: null,
          terminalReason: expect.stringMatching(
            /^transaction 0x[0-9a-f]{64} used the authorization to pay another account$/,
          ),
        })
        expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
      })
    })

    describe('an operator', () => {
      it('given a held intent is closed, then it has failed with the given reason and no funds move', async () => {
        const payer = await harness.wallets.funded(REWARD)
        const intent = await aHeldIntent(payer)
        await useElsewhere(payer, intent)
        const close = (id: string, reason: string) =>
          harness.deps.sql<{ closed: boolean }[]>`select close_held_intent(${id}, ${reason}) as closed`
        expect(await close(intent.id, '')).toMatchObject([{ closed: false }])
        expect(await close(intent.id, 'the payment was used elsewhere')).toMatchObject([{ closed: true }])
        expect(await close(intent.id, 'again')).toMatchObject([{ closed: false }])
        expect(await harness.find(intent.id)).toMatchObject({
          status: 'failed',
          terminalReason: 'the payment was used elsewhere',
          refundStatus: null,
        })
      })

      it('given a held intent with reserved gas is closed, then the gas is returned to the gas account', async () => {
        const { sql } = harness.deps
        const intent = await aHeldIntent(await harness.wallets.funded(REWARD))
        const account = `foreign ${intent.id}`
        await sql`insert into service.gas_accounts (name, used_wei) values (${account}, 1000)`
        await sql`
      update service.intents set relay_class = 'foreign', gas_account = ${account}, gas_reserved_wei = 600
      where id = ${intent.id}`
        await sql`select close_held_intent(${intent.id}, 'the payment was used elsewhere')`
        const [row] = await sql`
      select i.status, i.gas_account, i.gas_reserved_wei, a.used_wei from service.intents i, service.gas_accounts a
      where i.id = ${intent.id} and a.name = ${account}`
        expect(row).toEqual({ status: 'failed', gasAccount: null, gasReservedWei: null, usedWei: 400n })
      })

      it('given an intent that is not held, then neither function changes it', async () => {
        const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
        const [row] = await harness.deps.sql`
      select look_again(${intent.id}) as looked, close_held_intent(${intent.id}, 'no') as closed`
        expect(row).toEqual({ looked: false, closed: false })
        expect(await settle(intent)).toMatchObject({ status: 'completed' })
      })
    })
  })
}
