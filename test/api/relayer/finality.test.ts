import { encodeFunctionData, type Hex, zeroAddress, zeroHash } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { paymentOf, transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { finalizeSafeBlocks } from '../../../api/relayer/loops/finalize-safe-blocks.ts'
import { createReorgWatch } from '../../../api/relayer/loops/watch-reorgs.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { aHash, aPosition, insertRow, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment, bindTransfer, insertRelay, transferLogs } from './payments.ts'
import { aScriptedNode, type NodeState } from './scripted-node.ts'

const [own, acted]: [Hex, Hex] = [`0x${'aa'.repeat(32)}`, `0x${'ac'.repeat(32)}`]
const otherBlock: Hex = `0x${'0b'.repeat(32)}`
const SAFE = 90n

const api = aStartedApi()
beforeEach(async () => {
  for (const table of ['intents', 'relayed_intent', 'prepaid_refund', 'bonus_withdrawal', 'indexed_head'])
    await api.sql`delete from ${api.sql(table)}`
  await api.sql`insert into indexed_head ${api.sql({ blockNumber: SAFE, blockTimestamp: START, checkpoint: '' })}`
})
afterEach(() => void vi.useRealTimers())

/** The relayer on a node that shows this, and how often it asked for receipts. */
function aRelay(shown: Partial<NodeState> = {}) {
  const node = aScriptedNode(api, shown)
  const onSent = vi.fn()
  return { relay: { deps: node.deps, results: new Map(), onSent }, onSent, state: node.state }
}

/** A watched intent that this block decided. */
async function decided(columns: Record<string, unknown> = {}, bound = bindIntent(api)): Promise<BoundIntent> {
  const intent = await bound
  const decision = {
    status: 'completed',
    watched: true,
    txHash: own,
    blockNumber: 50n,
    blockHash: zeroHash,
    ...columns,
  }
  await api.sql`update intents set ${api.sql(decision)} where id = ${intent.id}`
  return intent
}

async function rowOf({ id }: BoundIntent) {
  const [row] = await api.sql`
    select status, watched, tx_hash, refund_status, refund_watched from intents where id = ${id}`
  return row
}

const relayRow = ({ chainIntentId }: BoundIntent, transactionHash: Hex) =>
  insertRelay(api, { intentId: chainIntentId }, transactionHash)

const final = { status: 'completed', watched: false, txHash: own }
const open = { status: 'completed', watched: true }
const reopened = { status: 'broadcast', watched: true, txHash: own }
/** The node shows that `acted` made the intent's call, or another one. */
const showsCall = (intent: BoundIntent) => ({
  transactions: { [acted]: transactionOfIntent(intent as never, api.deps.deployment) },
})
const showsOther = () => ({ transactions: { [acted]: { to: zeroAddress, data: '0x12345678' as const } } })

describe('a safe block', () => {
  it.each<[string, Record<string, unknown>, Hex | null, (intent: BoundIntent) => Partial<NodeState>, object]>([
    ['a completed write with its row', {}, own, () => ({}), final],
    ['a completed write without a row', {}, null, () => ({}), reopened],
    ['a completed write whose call another transaction made', {}, acted, showsCall, { ...reopened, txHash: acted }],
    ['a completed write with the row of another call', {}, acted, showsOther, reopened],
    ['a failed write without a row', { status: 'failed' }, null, () => ({}), { ...final, status: 'failed' }],
    ['a failed write with its row', { status: 'failed' }, acted, showsCall, { ...reopened, txHash: acted }],
    [
      'a failed write with the row of another call',
      { status: 'failed', txHash: acted },
      acted,
      showsOther,
      { status: 'failed', watched: false },
    ],
    ['the last block that is safe and indexed', { blockNumber: SAFE }, own, () => ({}), final],
    ['a block that is not safe', { blockNumber: SAFE + 1n }, own, () => ({}), open],
    ['a block that is not indexed', { blockNumber: SAFE + 1n }, own, () => ({ safe: SAFE + 1n }), open],
    ['a block that the node does not show', {}, own, () => ({ blockHashOf: () => null }), open],
    ['a block that another one replaced', {}, own, () => ({ blockHashOf: () => otherBlock }), reopened],
  ])('given %s, then what it decided is final, open or undone', async (_, columns, row, show, outcome) => {
    const intent = await decided(columns)
    if (row !== null) await relayRow(intent, row)
    const { relay, onSent } = aRelay(show(intent))
    await finalizeSafeBlocks(relay)
    const after = await rowOf(intent)
    expect(after).toMatchObject(outcome)
    expect(onSent).toHaveBeenCalledTimes(after?.status === 'broadcast' ? 1 : 0)
  })

  it.each([
    ['that made its call', showsCall, { ...reopened, txHash: acted }],
    ['of another call', showsOther, { status: 'failed', watched: true }],
    [null, () => ({}), { status: 'failed', watched: true }],
  ] as const)(
    'given a write failed without a block, and a row %s, then it goes on or stays',
    async (row, show, outcome) => {
      const intent = await decided({ status: 'failed', blockNumber: null, blockHash: null })
      if (row !== null) await relayRow(intent, acted)
      await finalizeSafeBlocks(aRelay(show(intent)).relay)
      expect(await rowOf(intent)).toMatchObject(outcome)
    },
  )

  it.each([
    ['as the indexer saw it', own, 'refunded', false],
    ['in another transaction', acted, 'refunding', true],
    ['which the indexer did not see', null, 'refunding', true],
  ])('given a refund %s, then it is final or looked for again', async (_, row, refundStatus, refundWatched) => {
    const refund = { refundStatus: 'refunded', refundTxHash: own, refundBlockNumber: 50n, refundBlockHash: zeroHash }
    const relay = { mode: 'paid', payment: aPayment() } as const
    const failed = { status: 'failed', watched: false, blockNumber: null, blockHash: null }
    const intent = await decided({ ...failed, ...refund, refundWatched: true }, bindIntent(api, { relay }))
    const { from: payer = zeroAddress, nonce = zeroHash } = paymentOf(intent) ?? {}
    const place = { ...aPosition(), transactionHash: row ?? own }
    if (row !== null) await insertRow(api.sql, 'prepaidRefund', { id: aHash(), payer, nonce, amount: 5n, ...place })
    await finalizeSafeBlocks(aRelay().relay)
    expect(await rowOf(intent)).toMatchObject({ refundStatus, refundWatched })
  })
})

describe('a submitted call in a safe block', () => {
  const payment = aPayment()
  const { from: owner, nonce } = payment
  const destination = zeroAddress
  const withdraw = () => {
    const args = [owner, destination, nonce, START + 100n, '0xab'] as const
    return bindIntent(api, {
      kind: 'claim',
      initiator: owner,
      calldata: encodeFunctionData({ abi: bonusHookAbi, functionName: 'withdrawFor', args }),
      submission: { id: nonce, value: 5n, validBefore: START + 100n },
    })
  }
  it.each([
    ['its row', own, final],
    ['the row of another transaction', acted, { ...reopened, txHash: acted }],
    ['no row', null, reopened],
  ])('given a withdrawal with %s, then the row decides', async (_, row, outcome) => {
    const intent = await decided({}, withdraw())
    const place = { ...aPosition(), transactionHash: row ?? own }
    const withdrawn = { id: aHash(), account: owner, destination, amount: 5n, nonce, ...place }
    if (row !== null) await insertRow(api.sql, 'bonusWithdrawal', withdrawn)
    await finalizeSafeBlocks(aRelay().relay)
    expect(await rowOf(intent)).toMatchObject(outcome)
  })

  it.each([
    ['paid its receiver', destination, final],
    ['paid another account', owner, reopened],
    ['is not shown', null, open],
  ])('given a transfer that %s, then the logs decide', async (_, to, outcome) => {
    const intent = await decided({}, bindTransfer(api, payment))
    const paid = to === null ? [] : transferLogs(api, { from: owner, nonce, to, value: 5n }, own)
    const { relay } = aRelay({
      views: { authorizationState: true },
      logs: { AuthorizationUsed: paid.slice(0, 1) },
      receipts: { [own]: { logs: paid } },
    })
    const pass = finalizeSafeBlocks(relay)
    if (to === null) await expect(pass).rejects.toThrow(ChainUnavailable)
    else await pass
    expect(await rowOf(intent)).toMatchObject(outcome)
  })
})

describe('a watch for reorgs', () => {
  /** Hashes of heads that follow each other, by height; nothing else is replaced. */
  const headAt = (number: bigint, hash = aHash(), parentHash: Hex = zeroHash) => ({ number, hash, parentHash })

  /** A watch that has seen a head, with what is decided at these heights since; the indexer has no row of it. */
  async function watchedUpTo(number: bigint, heights: readonly bigint[]) {
    const hash = aHash()
    const watch = aRelay({ safe: 0n, ...headAt(number, hash) })
    const reorgs = createReorgWatch(watch.relay)
    await reorgs.pass()
    const intents: BoundIntent[] = []
    for (const blockNumber of heights) intents.push(await decided({ blockNumber }))
    const statuses = async () => (await Promise.all(intents.map(rowOf))).map((row) => row?.status)
    return { ...watch, reorgs, hash, statuses }
  }
  const [kept, undone] = ['completed', 'broadcast']
  const replaced = { blockHashOf: () => otherBlock }

  it.each<[string, (hash: Hex) => Partial<NodeState>, bigint[], string[]]>([
    ['is the same', () => replaced, [50n, 100n], [kept, kept]],
    [
      'follows it',
      (hash) => ({ ...replaced, ...headAt(101n, aHash(), hash) }),
      [92n, 93n, 101n],
      [kept, undone, undone],
    ],
    [
      'follows it after others',
      (hash) => ({ ...headAt(110n), blockHashOf: (number) => (number === 100n ? hash : otherBlock) }),
      [101n, 102n],
      [kept, undone],
    ],
    ['does not follow it', () => ({ ...replaced, ...headAt(110n) }), [1n, 110n, 111n], [undone, undone, kept]],
    ['is another one at its height', () => ({ ...replaced, ...headAt(100n) }), [1n, 100n], [undone, undone]],
    ['is below it', () => ({ ...replaced, ...headAt(99n) }), [1n, 99n], [kept, kept]],
    [
      'does not follow it, on a node that shows no older block',
      () => ({ blockHashOf: () => null, ...headAt(110n) }),
      [1n],
      [kept],
    ],
    ['does not follow it, and the blocks stay', () => headAt(110n), [1n], [kept]],
  ])('given the next head %s, then so many blocks are compared', async (_, show, heights, statuses) => {
    const watch = await watchedUpTo(100n, heights)
    Object.assign(watch.state, show(watch.hash))
    await watch.reorgs.pass()
    expect(await watch.statuses()).toEqual(statuses)
  })

  it('given a head below the last one, then the chain is compared again at that height', async () => {
    const watch = await watchedUpTo(100n, [1n])
    Object.assign(watch.state, replaced, headAt(99n))
    await watch.reorgs.pass()
    Object.assign(watch.state, headAt(101n, aHash(), watch.hash))
    await watch.reorgs.pass()
    expect(await watch.statuses()).toEqual([kept])
  })

  it('given the first head, then every watched block is compared', async () => {
    const intent = await decided({ blockNumber: 1n })
    await createReorgWatch(aRelay({ safe: 0n, ...replaced }).relay).pass()
    expect(await rowOf(intent)).toMatchObject(reopened)
  })

  it('given passes, then safe blocks are finalized every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { pass } = createReorgWatch(aRelay().relay)
    for (const [laterMs, watched] of [
      [0, false],
      [9_999, true],
      [1, false],
    ] as const) {
      vi.advanceTimersByTime(laterMs)
      await api.sql`delete from intents`
      const intent = await decided()
      await relayRow(intent, own)
      await pass()
      expect(await rowOf(intent)).toMatchObject({ watched })
    }
  })
})
