import { type PrivateKeyAccount, pad } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { returnOrphanedPayments } from '../../../api/relayer/loops/return-orphaned-payments.ts'
import { REWARD, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

/** An intent held for an operator, for an unknown reason. */
async function aHeldIntent(payer: PrivateKeyAccount): Promise<BoundIntent> {
  const intent = await harness.bindCreate(payer)
  await harness.deps.sql`update intents set status = 'held', failure = 'unknown' where id = ${intent.id}`
  return await harness.find(intent.id)
}

/** Registers these tests, on a relay that the caller starts and ends. */
export function testHeldIntents(harnessOf: () => RelayHarness): void {
  describe('held intents', () => {
    beforeAll(() => {
      harness = harnessOf()
    })

    describe('an operator', () => {
      it('given a held intent is closed, then it has failed with the given reason and no funds move', async () => {
        const intent = await aHeldIntent(await harness.wallets.funded(REWARD))
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

      it('given one is closed whose payment a stolen relayer key spent, then no refund is created', async () => {
        const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
        const [relayer] = harness.deps.relayer.accounts
        const spending = transactionOfIntent({ ...intent, chainIntentId: pad('0x4d') }, harness.deps.deployment)
        await harness.wallets.sendAs(relayer.address, spending)
        const loops = await harness.startRelay()
        onTestFinished(() => loops.stop())
        expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'held' })
        await harness.deps.sql`select close_held_intent(${intent.id}, 'a stolen key spent it')`
        await returnOrphanedPayments(harness.deps)
        expect(await harness.find(intent.id)).toMatchObject({ status: 'failed', refundStatus: null })
      })

      it('given an intent that is not held, then neither function changes it', async () => {
        const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
        const [row] = await harness.deps.sql`
      select look_again(${intent.id}) as looked, close_held_intent(${intent.id}, 'no') as closed`
        expect(row).toEqual({ looked: false, closed: false })
        expect(await harness.find(intent.id)).toEqual(intent)
        // No relay of a later test shall take it.
        await harness.deps.sql`update intents set status = 'failed' where id = ${intent.id}`
      })
    })
  })
}
