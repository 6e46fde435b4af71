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
import type { Relayer } from '../../../api/relayer/signers/relayer.ts'
import { type Attempt, insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { fillNonceGaps } from '../../../api/relayer/transactions/fill-nonce-gaps.ts'
import { createRecentSimulations } from '../../../api/relayer/transactions/recent-simulations.ts'
import { actionJob } from '../../../api/relayer/transactions/relay-job.ts'
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

const POLLING = { interval: 20 }

/** A process with the keys of these relayers only. */
function processWith(relayers: readonly Relayer[]) {
  const [first, ...rest] = relayers
  if (first === undefined) throw new Error('the process has no key')
  const relayer = {
    accounts: [first, ...rest] as const,
    balances: createRelayerBalances(relayers, 3_000_000n),
    simulations: createRecentSimulations(),
  }
  return {
    deps: { ...harness.deps, relayer },
    results: new Map([[createTask.operation, createTask.result]]),
    onSent: () => {},
  }
}

/** Runs the relay with these keys until the test ends, or the returned function is called. */
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

/** An intent whose transaction is in the pool, sent by a process with this key that has ended. */
async function sendAndLeave(relayer: Relayer): Promise<{ intent: BoundIntent; attempt: Attempt }> {
  const payer = await harness.wallets.funded(REWARD)
  await harness.stack.anvil.request('evm_setAutomine', [false])
  const { id } = await harness.bindCreate(payer)
  const leave = await relayWith([relayer])
  await expect.poll(async () => (await harness.attemptsOf(id))[0]?.silentSeconds, POLLING).toBeTypeOf('number')
  await leave()
  const [attempt] = await harness.attemptsOf(id)
  if (attempt === undefined) throw new Error('nothing was signed')
  return { intent: await harness.find(id), attempt }
}

async function rowOf({ id }: ReadIntent) {
  const [row] = await harness.deps.sql`select * from intents where id = ${id}`
  return row
}

describe('a paused process that continues after others', () => {
  const mined = { txHash: zeroHash, blockNumber: 1n, blockHash: zeroHash }
  const failure = { reason: 'stale result', mined, refund: true }
  const changes: [string, (intent: ReadIntent) => Promise<unknown>][] = [
    ['marks it broadcast', (intent) => markBroadcast(harness.deps.sql, intent, zeroHash)],
    ['requeues it', (intent) => requeueIntent(harness.deps.sql, intent, 'prepaid')],
    [
      'completes it',
      (intent) => completeIntent(harness.deps.sql, intent, { mined, index: 0, taskId: null, result: {} }),
    ],
    ['records a block', (intent) => recordMined(harness.deps.sql, intent, mined)],
    ['fails it', (intent) => failIntent(harness.deps.sql, intent, failure)],
    ['holds it', (intent) => holdIntent(harness.deps.sql, intent, { finding: 'stale result', restSeconds: 1 })],
    ['reopens it', (intent) => reopenIntent(harness.deps.sql, intent)],
    ['finalizes it', (intent) => finalizeIntent(harness.deps.sql, intent)],
    ['requests a refund', (intent) => requestRefund(harness.deps.sql, intent)],
    ['ends its payment watch', (intent) => endPaymentWatch(harness.deps.sql, intent)],
    ['signs its refund', (intent) => markRefunding(harness.deps.sql, intent, zeroHash)],
    ['requeues its refund', (intent) => requeueRefund(harness.deps.sql, intent)],
    ['repeats its refund', (intent) => repeatRefund(harness.deps.sql, intent, { attemptsLeft: 1, restSeconds: 1 })],
    ['fails its refund', (intent) => failRefund(harness.deps.sql, intent, 'why')],
    [
      'renews the signature of its refund',
      (intent) => renewRefundSignature(harness.deps.sql, intent, { signature: '0x12', firstAttempts: 5 }),
    ],
    ['finishes its refund', (intent) => finishRefund(harness.deps.sql, intent, mined)],
    ['reopens its refund', (intent) => reopenRefund(harness.deps.sql, intent)],
    ['finalizes its refund', (intent) => finalizeRefund(harness.deps.sql, intent)],
  ]
  /** Every state that a paused process may find, with the columns that its change requires. */
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

  it.each(changes)('given it %s in the version it read before, then no state is changed', async (_name, change) => {
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

  it('given it replaces a transaction whose nonce was given up, then it can only send old bytes', async () => {
    const relayer = relayerAt(0)
    const { intent: seen, attempt } = await sendAndLeave(relayer)
    // Another process has given the intent another nonce.
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

describe('a process without the key of a broadcast transaction', () => {
  it('given the process with the key has ended, then the receipt is still resolved', async () => {
    const { intent } = await sendAndLeave(relayerAt(0))
    await harness.stack.anvil.request('evm_mine')
    await relayWith([relayerAt(1)])
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed' })
  })

  it('given the pool dropped it and it is old, then the stored bytes are sent again', async () => {
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

describe('a nonce sequence', () => {
  it('given a nonce without a transaction, then a cancellation transaction fills it and later ones continue', async () => {
    const relayer = relayerAt(2)
    const stop = await relayWith([relayer])
    await stop()
    await harness.deps.sql`update relayers set next_nonce = next_nonce + 2 where address = ${relayer.address}`
    const { id } = await harness.bindCreate(await harness.wallets.funded(REWARD))
    await relayWith([relayer])
    expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
    const [row] = await harness.deps.sql<{ next: bigint }[]>`
      select next_nonce as next from relayers where address = ${relayer.address}`
    expect(row?.next).toBe(await harness.deps.chain.getTransactionCount(relayer.address))
  })

  it('given a nonce whose intent has ended, then its bytes are sent again so that the sequence continues', async () => {
    const { intent, attempt } = await sendAndLeave(relayerAt(0))
    await harness.stack.anvil.request('anvil_dropTransaction', [attempt.hash])
    await harness.deps.sql`update intents set status = 'failed', watched = false where id = ${intent.id}`
    await harness.deps.sql`update attempts set sent_at = now() - interval '1 hour' where hash = ${attempt.hash}`
    await harness.stack.anvil.request('evm_setAutomine', [true])
    await fillNonceGaps(processWith([relayerAt(1)]))
    await expect.poll(() => harness.deps.chain.getTransactionReceipt(attempt.hash), POLLING).not.toBeNull()
  })

  it('given two processes fill one nonce at the same time, then one of them does', async () => {
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
      purpose: 'call',
      gasLimit: 21_000n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    })
    await harness.deps.sql`update attempts set created_at = now() - interval '1 hour' where hash = ${zeroHash}`
    await Promise.all([fillNonceGaps(processWith([relayer])), fillNonceGaps(processWith([relayer]))])
    const fillers = await harness.deps.sql`
      select purpose, intent_id from attempts where relayer = ${relayer.address} and nonce = ${nonce}`
    expect(fillers).toMatchObject([{ purpose: 'cancellation', intentId: null }])
    await harness.deps.sql`delete from attempts where hash = ${zeroHash}`
    await harness.deps.sql`update relayers set next_nonce = ${nonce + 1n} where address = ${relayer.address}`
  })

  it('given a node with far too high a transaction count, then the sequence skips a few nonces and can still be used', async () => {
    const relayer = relayerAt(3)
    const nonce = await harness.deps.chain.getTransactionCount(relayer.address)
    await harness.deps.sql`insert into relayers values (${relayer.address}, ${nonce})`
    const context = processWith([relayer])
    await fillNonceGaps({
      ...context,
      deps: { ...context.deps, chain: { ...context.deps.chain, getTransactionCount: async () => nonce + 10n ** 9n } },
    })
    const [row] = await harness.deps.sql<{ next: bigint }[]>`
      select next_nonce as next from relayers where address = ${relayer.address}`
    expect((row?.next ?? 0n) - nonce).toBe(16n)
    await harness.deps.sql`delete from relayers where address = ${relayer.address}`
  })
})

describe('relayers without balance', () => {
  const setBalance = async (relayer: Relayer, wei: bigint): Promise<void> => {
    await harness.stack.anvil.request('anvil_setBalance', [relayer.address, `0x${wei.toString(16)}`])
  }

  it('given one of two is empty, then the other signs everything', async () => {
    const [empty, funded] = [relayerAt(0), relayerAt(1)]
    await setBalance(empty, 0n)
    onTestFinished(() => setBalance(empty, 10n ** 20n))
    const payer = await harness.wallets.funded(4n * REWARD)
    const intents = await Promise.all([1, 2, 3, 4].map(() => harness.bindCreate(payer)))
    await relayWith([empty, funded])
    for (const { id } of intents) {
      expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
      expect((await harness.attemptsOf(id)).map(({ relayer }) => relayer)).toEqual([funded.address])
    }
  })

  it('given all are empty, then bound writes are not signed, and continue after a top-up', async () => {
    const only = relayerAt(1)
    await setBalance(only, 0n)
    const { deps } = processWith([only])
    const loops = await startLoops(deps, [createTask])
    onTestFinished(() => loops.stop())
    const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
    await expect
      .poll(() => deps.relayer.balances.read(deps.chain), POLLING)
      .toEqual([{ address: only.address, balanceWei: 0n, isFunded: false }])
    expect(await harness.find(intent.id)).toMatchObject({ status: 'recorded' })
    expect(await harness.attemptsOf(intent.id)).toEqual([])
    await setBalance(only, 10n ** 20n)
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'completed' })
  })
})
