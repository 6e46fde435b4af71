import type { Address, PrivateKeyAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { reconcileHeld } from '../../../api/relayer/loops/reconcile-held.ts'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { cancelAuthorization, submitAlone, submitTo } from './usdc-calls.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

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

/** Uses the intent's nonce for another payment: to the payer itself by default. */
async function useElsewhere(
  payer: PrivateKeyAccount,
  intent: BoundIntent,
  changes: { to?: Address; value?: bigint } = {},
): Promise<void> {
  const message = { ...getPayment(intent), to: payer.address, ...changes }
  const signature = await payer.signTypedData({ ...transferTypedData(harness.stack.deployment), message })
  await harness.wallets.sendAs(stranger, submitTo(harness.stack.deployment, { ...message, signature }))
}

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

  it('given its payment is in the forwarder, then it is relayed in prepaid mode, charged once', async () => {
    const payer = await harness.wallets.funded(2n * REWARD)
    const intent = await aHeldIntent(payer)
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(intent)))
    expect(await reconcile(intent)).toMatchObject({ status: 'recorded', relay: { mode: 'prepaid' } })
    expect(await settle(intent)).toMatchObject({ status: 'completed' })
    expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
  })

  it('given the payer cancelled the authorization, then it fails and nothing is charged', async () => {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await aHeldIntent(payer)
    await harness.wallets.sendAs(
      stranger,
      await cancelAuthorization(harness.stack.deployment, payer, getPayment(intent).nonce),
    )
    expect(await reconcile(intent)).toMatchObject({
      status: 'failed',
      refundStatus: null,
      terminalReason: 'the payer cancelled the authorization',
    })
    expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
  })

  it('given its authorization is unused again, then it is relayed', async () => {
    const intent = await aHeldIntent(await harness.wallets.funded(REWARD))
    expect(await reconcile(intent)).toMatchObject({ status: 'recorded', relay: { mode: 'paid' } })
    expect(await settle(intent)).toMatchObject({ status: 'completed' })
    expect(await harness.effectsOf(intent)).toBe(1)
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

  it('given its authorization paid another amount, then it stays held with the transaction, and its backoff grows', async () => {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await aHeldIntent(payer)
    await useElsewhere(payer, intent, { to: harness.deps.deployment.forwarder, value: REWARD - 1n })
    const { chain } = harness.deps
    await harness.stack.anvil.request('anvil_mine', ['0x80'])
    expect(await chain.safeBlockNumber()).toBeGreaterThan(intent.boundAtBlock)
    const backoffs: number[] = []
    for (let poll = 1; poll <= 3; poll += 1) {
      expect(await reconcile(intent)).toMatchObject({ status: 'held', looks: poll })
      const [row] = await harness.deps.sql<{ finding: string; backoff: number }[]>`
        select finding, extract(epoch from next_look - now())::float8 as backoff from held_intents where id = ${intent.id}`
      expect(row?.finding).toMatch(/^transaction 0x[0-9a-f]{64} used the authorization, and not to pay 1000000 here$/)
      backoffs.push(Math.round(row?.backoff ?? 0))
    }
    expect(backoffs[1]).toBeGreaterThan(backoffs[0] ?? 0)
    expect(backoffs[2]).toBeGreaterThan(backoffs[1] ?? 0)
    expect(await harness.effectsOf(intent)).toBe(0)
  })

  it('given its next poll attempt is later, then it is unchanged', async () => {
    const intent = await aHeldIntent(await harness.wallets.funded(REWARD))
    await harness.deps.sql`update intents set relay_after = now() + interval '1 hour' where id = ${intent.id}`
    await reconcileHeld(harness.deps)
    expect(await harness.find(intent.id)).toMatchObject({ status: 'held', looks: 0 })
    await harness.deps.sql`select close_held_intent(${intent.id}, 'not needed')`
  })

  it('given several processes at the same time, then one of them resolves it', async () => {
    const payer = await harness.wallets.funded(3n * REWARD)
    const intents = await Promise.all([1, 2, 3].map(() => aHeldIntent(payer)))
    await Promise.all(intents.map(() => reconcileHeld(harness.deps)))
    for (const intent of intents) {
      const found = await harness.find(intent.id)
      // One change since it was held: one process requeued it.
      expect(found).toMatchObject({ status: 'recorded', version: intent.version + 1n })
    }
    for (const intent of intents) expect(await settle(intent)).toMatchObject({ status: 'completed' })
  })

  it('given a node that does not answer, then it stays held and is polled again', async () => {
    const intent = await aHeldIntent(await harness.wallets.funded(REWARD))
    const chain = { ...harness.deps.chain, confirmedHead: () => Promise.reject(new Error('no answer')) }
    await reconcileHeld({ ...harness.deps, chain })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'held' })
    expect(await reconcile(intent)).toMatchObject({ status: 'recorded' })
    expect(await settle(intent)).toMatchObject({ status: 'completed' })
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
