import { zeroHash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { finalizeIntent, finalizeRefund, reopenIntent, reopenRefund } from '../../../api/intents/finality.queries.ts'
import { holdIntent } from '../../../api/intents/held.queries.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import {
  completeIntent,
  failIntent,
  markBroadcast,
  type ReadIntent,
  recordMined,
  requeueIntent,
} from '../../../api/intents/outbox.queries.ts'
import { renewRefundSignature } from '../../../api/intents/refund-signatures.queries.ts'
import {
  endPaymentWatch,
  failRefund,
  finishRefund,
  markRefunding,
  repeatRefund,
  requestRefund,
  requeueRefund,
} from '../../../api/intents/refunds.queries.ts'
import { type Attempt, insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { fillNonceGaps } from '../../../api/relayer/transactions/fill-nonce-gaps.ts'
import { actionJob } from '../../../api/relayer/transactions/relay-job.ts'
import type { Relayer } from '../../../api/relayer/transactions/relayer.ts'
import { createRelayerBalances } from '../../../api/relayer/transactions/relayer-balances.ts'
import { replaceTransaction } from '../../../api/relayer/transactions/replace-transaction.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())
afterEach(() => harness.stack.anvil.request('evm_setAutomine', [true]))

const PATIENCE = { timeout: 10_000, interval: 20 }

/** A process that has these relayers' keys and no others. */
function processWith(relayers: readonly Relayer[]) {
  const [first, ...rest] = relayers
  if (first === undefined) throw new Error('a process has a key')
  const relayer = { accounts: [first, ...rest] as const, balances: createRelayerBalances(relayers, 3_000_000n) }
  return {
    deps: { ...harness.deps, relayer },
    results: new Map([[createTask.operation, createTask.result]]),
    onSent: () => {},
  }
}

/** Relays with these keys until the test ends, or the returned function is called. */
async function relayWith(relayers: readonly Relayer[]): Promise<() => Promise<void>> {
  const loops = await startLoops(processWith(relayers).deps, [createTask])
  onTestFinished(() => loops.stop())
  return loops.stop
}

function relayerAt(index: number): Relayer {
  const relayer = harness.deps.relayer.accounts[index]
  if (relayer === undefined) throw new Error(`there is no relayer ${index}`)
  return relayer
}

/** An intent whose transaction waits in the pool, sent by a process with this one key that is gone by now. */
async function sendAndLeave(relayer: Relayer): Promise<{ intent: BoundIntent; attempt: Attempt }> {
  const payer = await harness.wallets.funded(REWARD)
  await harness.stack.anvil.request('evm_setAutomine', [false])
  const { id } = await harness.bindCreate(payer)
  const leave = await relayWith([relayer])
  await expect.poll(async () => (await harness.attemptsOf(id))[0]?.silentSeconds, PATIENCE).toBeTypeOf('number')
  await leave()
  const [attempt] = await harness.attemptsOf(id)
  if (attempt === undefined) throw new Error('nothing was signed')
  return { intent: await harness.find(id), attempt }
}

async function rowOf({ id }: ReadIntent) {
  const [row] = await harness.deps.sql`select * from intents where id = ${id}`
  return row
}

describe('a process that slept while others went on', () => {
  const mined = { txHash: zeroHash, blockNumber: 1n, blockHash: zeroHash }
  const failure = { reason: 'it dreamt so', mined, refund: true }
  const changes: [string, (intent: ReadIntent) => Promise<unknown>][] = [
    ['takes it for on its way', (intent) => markBroadcast(harness.deps.sql, intent, zeroHash)],
    ['sends it back to the outbox', (intent) => requeueIntent(harness.deps.sql, intent, 'prepaid')],
    ['completes it', (intent) => completeIntent(harness.deps.sql, intent, { mined, taskId: null, result: {} })],
    ['notes a block', (intent) => recordMined(harness.deps.sql, intent, mined)],
    ['fails it', (intent) => failIntent(harness.deps.sql, intent, failure)],
    ['holds it', (intent) => holdIntent(harness.deps.sql, intent, { finding: 'it dreamt so', restSeconds: 1 })],
    ['reopens it', (intent) => reopenIntent(harness.deps.sql, intent)],
    ['lets go of it', (intent) => finalizeIntent(harness.deps.sql, intent)],
    ['asks for a refund', (intent) => requestRefund(harness.deps.sql, intent)],
    ['forgets its payment', (intent) => endPaymentWatch(harness.deps.sql, intent)],
    ['signs its refund', (intent) => markRefunding(harness.deps.sql, intent, zeroHash)],
    ['sends its refund back', (intent) => requeueRefund(harness.deps.sql, intent)],
    ['repeats its refund', (intent) => repeatRefund(harness.deps.sql, intent, { attemptsLeft: 1, restSeconds: 1 })],
    ['leaves its refund to an operator', (intent) => failRefund(harness.deps.sql, intent, 'why')],
    [
      'renews the signature of its refund',
      (intent) => renewRefundSignature(harness.deps.sql, intent, { signature: '0x12', firstAttempts: 5 }),
    ],
    ['finishes its refund', (intent) => finishRefund(harness.deps.sql, intent, mined)],
    ['reopens its refund', (intent) => reopenRefund(harness.deps.sql, intent)],
    ['lets go of its refund', (intent) => finalizeRefund(harness.deps.sql, intent)],
  ]
  /** Every state a sleeper may find, with the settings that a change of it would need. */
  const states = [
    `status = 'recorded'`,
    `status = 'broadcast'`,
    `status = 'completed', watched = true`,
    `status = 'failed', watched = true, refund_status = null`,
    `status = 'failed', refund_status = 'pending'`,
    `status = 'failed', refund_status = 'refunding'`,
    `status = 'failed', refund_status = 'failed'`,
    `status = 'failed', refund_status = 'refunded', refund_watched = true`,
    `status = 'held'`,
  ]

  it.each(changes)('given it %s as it last saw it, then nothing changes in any state', async (_name, change) => {
    const seen = await harness.bindCreate(await harness.wallets.funded(REWARD))
    for (const state of states) {
      await harness.deps.sql.unsafe(`update service.intents set ${state} where id = '${seen.id}'`)
      const before = await rowOf(seen)
      await change(seen)
      expect(await rowOf(seen), state).toEqual(before)
    }
    await harness.deps.sql`
      update intents set status = 'failed', refund_status = null, payment_watched = false where id = ${seen.id}`
  })

  it('given it wakes up to replace a transaction of a nonce long given up, then it can send old bytes only', async () => {
    const relayer = relayerAt(0)
    const { intent: seen, attempt } = await sendAndLeave(relayer)
    // Meanwhile others gave the intent another nonce.
    await harness.deps.sql`update intents set relay_after = now() where id = ${seen.id}`
    const before = await rowOf(seen)
    const old = { ...attempt, ageSeconds: 1_000, silentSeconds: 1_000 }
    await replaceTransaction(processWith([relayer]), {
      job: actionJob(seen, harness.deps.deployment),
      attempt: old,
      minedNonce: attempt.nonce,
    })
    expect(await harness.attemptsOf(seen.id)).toHaveLength(1)
    await replaceTransaction(processWith([relayer]), {
      job: actionJob(seen, harness.deps.deployment),
      attempt: old,
      minedNonce: attempt.nonce + 1n,
    })
    expect(await rowOf(seen)).toEqual(before)
    await harness.stack.anvil.request('evm_mine')
    await relayWith([relayer])
    expect(await harness.outcomeOf(seen.id)).toMatchObject({ status: 'completed' })
    expect(await harness.effectsOf(seen)).toBe(1)
  })
})

describe('a process without the key of a transaction on its way', () => {
  it('given its owner is gone, then the receipt is settled all the same', async () => {
    const { intent } = await sendAndLeave(relayerAt(0))
    await harness.stack.anvil.request('evm_mine')
    await relayWith([relayerAt(1)])
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed' })
  })

  it('given the pool forgot it and it is old, then the stored bytes are sent again', async () => {
    const { intent, attempt } = await sendAndLeave(relayerAt(0))
    await harness.stack.anvil.request('anvil_dropTransaction', [attempt.hash])
    await harness.deps.sql`
      update attempts set created_at = now() - interval '1 hour', sent_at = now() - interval '1 hour'
      where hash = ${attempt.hash}`
    await harness.stack.anvil.request('evm_setAutomine', [true])
    await relayWith([relayerAt(1)])
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed', txHash: attempt.hash })
    expect(await harness.attemptsOf(intent.id)).toHaveLength(1)
    expect(await harness.effectsOf(intent)).toBe(1)
  })
})

describe('a nonce lane', () => {
  it('given a place nobody signed for, then a transaction to itself fills it and what waits behind it goes on', async () => {
    const relayer = relayerAt(2)
    const lane = await relayWith([relayer])
    await lane()
    await harness.deps.sql`update relayers set next_nonce = next_nonce + 2 where address = ${relayer.address}`
    const { id } = await harness.bindCreate(await harness.wallets.funded(REWARD))
    await relayWith([relayer])
    expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
    const [lane2] = await harness.deps.sql<{ next: bigint }[]>`
      select next_nonce as next from relayers where address = ${relayer.address}`
    expect(lane2?.next).toBe(await harness.deps.chain.getTransactionCount(relayer.address))
  })

  it('given a place whose intent is over, then its bytes are sent again so that the lane goes on', async () => {
    const { intent, attempt } = await sendAndLeave(relayerAt(0))
    await harness.stack.anvil.request('anvil_dropTransaction', [attempt.hash])
    await harness.deps.sql`update intents set status = 'failed', watched = false where id = ${intent.id}`
    await harness.deps.sql`update attempts set sent_at = now() - interval '1 hour' where hash = ${attempt.hash}`
    await harness.stack.anvil.request('evm_setAutomine', [true])
    await fillNonceGaps(processWith([relayerAt(1)]))
    await expect.poll(() => harness.deps.chain.getTransactionReceipt(attempt.hash), PATIENCE).not.toBeNull()
  })

  it('given two fill one place at once, then one of them does', async () => {
    const relayer = relayerAt(2)
    const nonce = await harness.deps.chain.getTransactionCount(relayer.address)
    await harness.deps.sql`update relayers set next_nonce = ${nonce + 2n} where address = ${relayer.address}`
    const behind = await harness.bindCreate(await harness.wallets.funded(REWARD))
    await insertAttempt(harness.deps.sql, {
      intentId: behind.id,
      relayer: relayer.address,
      nonce: nonce + 1n,
      hash: zeroHash,
      raw: '0x',
      leg: 'paid',
      gasLimit: 21_000n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    })
    await harness.deps.sql`update attempts set created_at = now() - interval '1 hour' where hash = ${zeroHash}`
    await Promise.all([fillNonceGaps(processWith([relayer])), fillNonceGaps(processWith([relayer]))])
    const fillers = await harness.deps.sql`
      select leg, intent_id from attempts where relayer = ${relayer.address} and nonce = ${nonce}`
    expect(fillers).toMatchObject([{ leg: 'noop', intentId: null }])
    await harness.deps.sql`delete from attempts where hash = ${zeroHash}`
    await harness.deps.sql`update relayers set next_nonce = ${nonce + 1n} where address = ${relayer.address}`
  })

  it('given a node that counts far too many transactions, then the lane moves a little and stays usable', async () => {
    const relayer = relayerAt(3)
    const nonce = await harness.deps.chain.getTransactionCount(relayer.address)
    await harness.deps.sql`insert into relayers values (${relayer.address}, ${nonce})`
    const lying = processWith([relayer])
    await fillNonceGaps({
      ...lying,
      deps: { ...lying.deps, chain: { ...lying.deps.chain, getTransactionCount: async () => nonce + 10n ** 9n } },
    })
    const [lane] = await harness.deps.sql<{ next: bigint }[]>`
      select next_nonce as next from relayers where address = ${relayer.address}`
    expect((lane?.next ?? 0n) - nonce).toBe(16n)
    await harness.deps.sql`delete from relayers where address = ${relayer.address}`
  })
})

describe('relayers without gas money', () => {
  const setBalance = async (relayer: Relayer, wei: bigint): Promise<void> => {
    await harness.stack.anvil.request('anvil_setBalance', [relayer.address, `0x${wei.toString(16)}`])
  }

  it('given one of two is empty, then the other signs everything', async () => {
    const [empty, rich] = [relayerAt(0), relayerAt(1)]
    await setBalance(empty, 0n)
    onTestFinished(() => setBalance(empty, 10n ** 20n))
    const payer = await harness.wallets.funded(4n * REWARD)
    const intents = await Promise.all([1, 2, 3, 4].map(() => harness.bindCreate(payer)))
    await relayWith([empty, rich])
    for (const { id } of intents) {
      expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
      expect((await harness.attemptsOf(id)).map(({ relayer }) => relayer)).toEqual([rich.address])
    }
  })

  it('given all are empty, then what is bound waits unsigned, and goes on after a top-up', async () => {
    const only = relayerAt(1)
    await setBalance(only, 0n)
    const { deps } = processWith([only])
    const loops = await startLoops(deps, [createTask])
    onTestFinished(() => loops.stop())
    const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
    await expect
      .poll(() => deps.relayer.balances.read(deps.chain), PATIENCE)
      .toEqual([{ address: only.address, balanceWei: 0n, isFunded: false }])
    expect(await harness.find(intent.id)).toMatchObject({ status: 'recorded' })
    expect(await harness.attemptsOf(intent.id)).toEqual([])
    await setBalance(only, 10n ** 20n)
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed' })
  })
})
