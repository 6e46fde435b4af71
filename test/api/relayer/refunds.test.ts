import { decodeFunctionData, type Hex, parseTransaction, zeroAddress } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { paymentForwarderAbi as abi } from '../../../abis/payment-forwarder.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { paymentOf } from '../../../api/intents/relayed-call.ts'
import { relayNext } from '../../../api/relayer/loops/relay-next.ts'
import { watchRefunds } from '../../../api/relayer/loops/watch-refunds.ts'
import type { Attempt, AttemptPurpose } from '../../../api/relayer/transactions/attempts.queries.ts'
import { bindIntent, getIntent } from '../../support/bound-intent.ts'
import { toLog } from '../../support/contract-log.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi, openSequences } from '../writes/started-api.ts'
import { aPayment } from './payments.ts'
import { aScriptedNode, type NodeState, reverting, type ScriptedNode, succeeding, unanswered } from './scripted-node.ts'

const VALUE = 5_000_000n
const LIMIT = 480_000n
const ALL_GAS = 10_000_000n
const refundId: Hex = `0x${'11'.repeat(32)}`
const refundHash: Hex = `0x${'77'.repeat(32)}`

// One base unit is worth 1000 wei: the fees of the node make a refund of the most gas cost 1.44e9 of 5e9 wei.
const api = aStartedApi({ WEI_PER_USDC: String(10n ** 9n) }, openSequences)
beforeEach(async () => {
  await api.sql`delete from attempts`
  await api.sql`delete from intents`
  await api.sql`update relayers set next_nonce = 0`
})

type RefundColumns = Partial<{ refundStatus: string; refundAttemptsLeft: number; refundSignature: Hex }>

/** A failed write whose payment lies in the forwarder. */
async function anOwedRefund({ refundStatus = 'pending', ...columns }: RefundColumns = {}): Promise<BoundIntent> {
  const { id } = await bindIntent(api, {
    relay: { mode: 'paid', payment: aPayment({ value: VALUE, validBefore: 9n }) },
  })
  await api.sql`update intents set ${api.sql({ status: 'failed', refundStatus, ...columns })} where id = ${id}`
  return await getIntent(api, id)
}

async function refundOf({ id }: Pick<BoundIntent, 'id'>) {
  const [row] = await api.sql<{ refundStatus: string; refundFinding: string | null; seconds: number }[]>`
    select refund_status, refund_tx_hash, refund_attempts_left, refund_finding, refund_block_number,
      extract(epoch from relay_after - now())::float8 as seconds
    from intents where id = ${id}`
  return row ?? expect.fail('no row')
}

const listAttempts = () =>
  api.sql<Attempt[]>`select purpose, nonce, gas_limit, max_fee_per_gas, raw, hash from attempts order by id`

/** The forwarder's function that a signed transaction calls; null: none. */
function functionOf(raw: Hex) {
  const { data } = parseTransaction(raw)
  return data === undefined ? null : decodeFunctionData({ abi, data }).functionName
}

const relayOf = ({ deps }: ScriptedNode) => ({ deps, results: new Map(), onSent: () => {} })

function signNext(node: ScriptedNode): Promise<boolean> {
  return relayNext(relayOf(node), node.deps.relayer.accounts[0], 'refunds')
}

const address: Hex = `0x${'b2'.repeat(20)}`

function paymentIn(intent: BoundIntent): { from: Hex; nonce: Hex } {
  return paymentOf(intent) ?? expect.fail('no payment')
}

/** The forwarder gave the payment of an intent back. */
function refunded(intent: BoundIntent): Partial<NodeState> {
  const { from: payer, nonce } = paymentIn(intent)
  const args = { payer, nonce, amount: VALUE }
  const log = toLog({ abi, address, name: 'PrepaidRefunded', args }, 0, { transactionHash: refundHash })
  return { logs: { PrepaidRefunded: [log] } }
}

/** The forwarder announced the refund of an intent, which is due from this time on. */
function announced(intent: BoundIntent, executableFrom: bigint): Partial<NodeState> {
  const payment = paymentIn(intent)
  const args = {
    payer: payment.from,
    nonce: payment.nonce,
    refundId,
    relayer: payment.from,
    value: VALUE,
    executableFrom,
  }
  return {
    views: {
      prepaidLeft: VALUE - 1n,
      relayers: true,
      announcedRefund: { relayer: payment.from, executableFrom: Number(executableFrom) },
    },
    logs: { RefundAnnounced: [toLog({ abi, address, name: 'RefundAnnounced', args })] },
  }
}

/** The guardian vetoed the announced refund of an intent. */
function vetoed(intent: BoundIntent): Partial<NodeState> {
  const { views, logs } = announced(intent, 1n)
  const veto = toLog({ abi, address, name: 'RefundVetoed', args: { refundId } })
  return {
    views: { ...views, announcedRefund: { relayer: zeroAddress, executableFrom: 0 } },
    logs: { ...logs, RefundVetoed: [veto] },
  }
}

describe('a refund in the outbox', () => {
  it('given none is owed, then nothing is taken', async () => {
    expect(await signNext(aScriptedNode(api))).toBe(false)
  })

  it.each([
    ['within the day’s limit', () => ({ views: { prepaidLeft: VALUE } }), 'refundPrepaid', 'refund'],
    ['above it', () => ({ views: { prepaidLeft: VALUE - 1n } }), 'announceRefund', 'announcement'],
    ['announced and due', (intent: BoundIntent) => announced(intent, api.chain.now), 'executeRefund', 'refund'],
  ] as const)('given one is %s, then that step is signed, stored and sent', async (_, show, name, purpose) => {
    const intent = await anOwedRefund()
    const node = aScriptedNode(api, show(intent))
    expect(await signNext(node)).toBe(true)
    const [attempt] = await listAttempts()
    expect(attempt).toMatchObject({ purpose, nonce: 0n, gasLimit: 125_000n, maxFeePerGas: 3_000n })
    expect(node.sent).toEqual([attempt?.raw])
    expect(functionOf(node.sent[0] ?? '0x')).toBe(name)
    const { data, to } = parseTransaction(node.sent[0] ?? '0x')
    const [{ address: from }] = node.deps.relayer.accounts
    expect(node.ran).toEqual([{ from, to, data, gasLimit: LIMIT }])
    expect(await refundOf(intent)).toMatchObject({ refundStatus: 'refunding', refundTxHash: attempt?.hash })
  })

  it('given the day’s limit admits it in ten minutes, then it waits that long', async () => {
    const intent = await anOwedRefund()
    await signNext(aScriptedNode(api, announced(intent, api.chain.now + 600n)))
    const { seconds, refundStatus } = await refundOf(intent)
    expect([refundStatus, Math.round(seconds / 10)]).toEqual(['pending', 60])
    expect(await listAttempts()).toEqual([])
  })

  it.each([
    ['just now', 0, 5],
    ['for a minute', 60, 15],
    ['for a week', 604_800, 3_600],
  ])('given one is owed %s and cannot be made, then it rests longer the longer it is owed', async (_, owed, rest) => {
    const { id } = await anOwedRefund()
    await api.sql`update intents set status_at = now() - make_interval(secs => ${owed}) where id = ${id}`
    await signNext(aScriptedNode(api, { simulate: () => reverting() }))
    const { seconds } = await refundOf({ id })
    expect(seconds).toBeGreaterThan(rest - 2)
    expect(seconds).toBeLessThan(rest + 1)
  })

  it('given the relayer that announced it lost its right meanwhile, then it is announced anew', async () => {
    const intent = await anOwedRefund()
    const simulate = ({ data }: { data: Hex }) =>
      decodeFunctionData({ abi, data }).functionName === 'executeRefund' ? reverting('RefundVoid') : succeeding
    const node = aScriptedNode(api, { ...announced(intent, 1n), simulate })
    await signNext(node)
    expect(await listAttempts()).toMatchObject([{ purpose: 'announcement' }])
    expect(functionOf(node.sent[0] ?? '0x')).toBe('announceRefund')
  })

  /** Gas of a refund that reverts below it. */
  const takes =
    (gas: bigint): NodeState['simulate'] =>
    ({ gasLimit }) =>
      gasLimit < gas ? reverting('OutOfGas') : { outcome: 'ok', gas }
  const pending = { refundStatus: 'pending', refundFinding: null }
  const refunding = { refundStatus: 'refunding' }
  const failedFor = (refundFinding: string) => ({ refundStatus: 'failed', refundFinding })
  const feesOf = (maxFeePerGas: bigint) => ({ fees: { maxFeePerGas, maxPriorityFeePerGas: 1n } })

  type Shown = Partial<NodeState> | ((intent: BoundIntent) => Partial<NodeState>)
  it.each<[string, Shown, object, RefundColumns?]>([
    ['every step is void', { simulate: () => reverting('RefundVoid') }, pending],
    ['it reverts, and has not gone back', { simulate: () => reverting() }, pending],
    ['the node gives no answer', { simulate: unanswered }, pending],
    [
      'it has gone back',
      (intent) => ({ simulate: () => reverting(), ...refunded(intent) }),
      { refundStatus: 'refunded', refundTxHash: refundHash, refundBlockNumber: 9n },
    ],
    ['the guardian vetoed the announced one', vetoed, failedFor('the guardian vetoed the announced refund')],
    [
      'it takes more gas than is allowed',
      { simulate: takes(LIMIT + 1n) },
      failedFor('giving it back takes 480001 gas, more than the 480000 allowed'),
    ],
    [
      'it costs more than it gives back, and its payer has code',
      { ...feesOf(40_000n), hasCode: true },
      failedFor('giving it back may cost 5000000000 wei, more than 5000000 base units are worth'),
    ],
    [
      'it costs more than it gives back after one that was mined for nothing',
      feesOf(20_000n),
      failedFor('giving it back may cost 5000000000 wei in 2 attempts, more than 5000000 base units are worth'),
      { refundAttemptsLeft: 4 },
    ],
    ['it costs more than it gives back, by a key', feesOf(40_000n), refunding],
    ['it costs a little less than it gives back', { ...feesOf(39_999n), hasCode: true }, refunding],
  ])('given %s, then the refund goes on as it must', async (_, shown, outcome, columns) => {
    const intent = await anOwedRefund(columns)
    const node = aScriptedNode(api, typeof shown === 'function' ? shown(intent) : shown)
    expect(await signNext(node)).toBe(true)
    const row = await refundOf(intent)
    expect(row).toMatchObject(outcome)
    const isSigned = row.refundStatus === 'refunding'
    expect((await listAttempts()).length).toBe(isSigned ? 1 : 0)
    // What is pending still is not tried again at once.
    if (row.refundStatus === 'pending') expect(row.seconds).toBeGreaterThan(3)
  })

  it('given an operator tries it once more with more gas, then it is signed, whatever it costs', async () => {
    const intent = await anOwedRefund()
    await signNext(aScriptedNode(api, { simulate: takes(LIMIT + 1n) }))
    expect(await refundOf(intent)).toMatchObject({ refundStatus: 'failed' })
    await api.sql`select service.retry_refund(${intent.id}, 900000)`
    await signNext(aScriptedNode(api, { simulate: takes(900_000n), ...feesOf(40_000n), hasCode: true }))
    expect(await refundOf(intent)).toMatchObject(refunding)
  })

  it('given the payer signed the payment again, then the refund has the newer signature', async () => {
    await anOwedRefund({ refundSignature: '0xcd' })
    const node = aScriptedNode(api, { views: { prepaidLeft: VALUE } })
    await signNext(node)
    const { data = '0x' } = parseTransaction(node.sent[0] ?? '0x')
    expect(decodeFunctionData({ abi, data })).toMatchObject({
      functionName: 'refundPrepaid',
      args: [expect.anything(), '0xcd'],
    })
  })

  it('given its gas and a margin are above the limit, then it is signed with the limit', async () => {
    await anOwedRefund()
    const node = aScriptedNode(api, { simulate: takes(LIMIT - 1n) })
    await signNext(node)
    expect(await listAttempts()).toMatchObject([{ gasLimit: LIMIT }])
  })

  it('given it reverts within the limit, then it is run once more with all gas', async () => {
    await anOwedRefund()
    const node = aScriptedNode(api, { simulate: () => reverting() })
    await signNext(node)
    const [{ address: from }] = node.deps.relayer.accounts
    expect(node.ran).toEqual([LIMIT, ALL_GAS].map((gasLimit) => expect.objectContaining({ from, gasLimit })))
  })
})

/** Bytes of a transaction that takes a step, and when it was signed and sent, seconds ago; null: never sent. */
interface Signed {
  step?: 'refundPrepaid' | 'announceRefund' | 'executeRefund'
  purpose?: AttemptPurpose
  nonce?: bigint
  signedAgo?: number
  sentAgo?: number | null
}

/** Stores transactions of a refund as the outbox signs them, the oldest first. @returns their hashes */
async function sign(intent: BoundIntent, signed: readonly Signed[]): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const { step = 'refundPrepaid', purpose = 'refund', nonce = 0n, signedAgo = 0, sentAgo = 0 } of signed) {
    const node = aScriptedNode(
      api,
      step === 'executeRefund'
        ? announced(intent, 1n)
        : { views: { prepaidLeft: step === 'refundPrepaid' ? VALUE : 0n } },
    )
    await api.sql`update intents set refund_status = 'pending', relay_after = now() - interval '1 hour' where id = ${intent.id}`
    await api.sql`update relayers set next_nonce = ${nonce}`
    await signNext(node)
    // Signed twice in the same way they would have the same bytes.
    const [row] = await api.sql<{ hash: Hex }[]>`
      update attempts set purpose = ${purpose === 'refund' && step === 'announceRefund' ? 'announcement' : purpose},
        hash = ${aHash()}, created_at = now() - make_interval(secs => ${signedAgo}),
        sent_at = now() - make_interval(secs => ${sentAgo})
      where id = (select max(id) from attempts) returning hash`
    hashes.push(row?.hash ?? expect.fail('not signed'))
  }
  return hashes
}

describe('a refund on its way', () => {
  it('given none is, then nothing is looked at', async () => {
    await anOwedRefund()
    expect(await watchRefunds(relayOf(aScriptedNode(api)))).toBe(0)
  })

  it('given the forwarder shows that it went back, then it is refunded there', async () => {
    const intent = await anOwedRefund()
    await sign(intent, [{}])
    expect(await watchRefunds(relayOf(aScriptedNode(api, refunded(intent))))).toBe(1)
    expect(await refundOf(intent)).toMatchObject({
      refundStatus: 'refunded',
      refundTxHash: refundHash,
      refundBlockNumber: 9n,
    })
  })

  const failed = { succeeded: false }
  const firstFailed = ([hash = '0x']: Hex[]) => ({ receipts: { [hash]: failed } })
  const firstMined = ([hash = '0x']: Hex[]) => ({ receipts: { [hash]: {} } })
  const left = (refundAttemptsLeft: number) => ({ refundStatus: 'pending', refundAttemptsLeft })
  const onItsWay = { refundStatus: 'refunding', refundAttemptsLeft: 5 }
  it.each<[string, Signed[], (hashes: Hex[]) => Partial<NodeState>, object, number, number?]>([
    ['it was mined for nothing', [{}], firstFailed, left(4), 15],
    ['the same, for the second time', [{}], firstFailed, left(3), 60, 4],
    [
      'it was mined for nothing, as it had gone back before',
      [{}],
      (hashes) => ({ ...firstFailed(hashes), views: { spent: true } }),
      left(5),
      15,
    ],
    [
      'the last attempt was mined for nothing',
      [{}],
      firstFailed,
      { refundStatus: 'failed', refundAttemptsLeft: 0, refundFinding: expect.stringContaining('no further attempt') },
      0,
      1,
    ],
    [
      'a cancellation took its nonce',
      [{}, { purpose: 'cancellation' }],
      (hashes) => firstMined(hashes.slice(1)),
      left(4),
      15,
    ],
    ['the one that was replaced is mined for nothing', [{}, { purpose: 'cancellation' }], firstFailed, left(4), 15],
    ['its announcement is mined', [{ step: 'announceRefund' }], firstMined, left(5), 0],
    ['its announcement was mined for nothing', [{ step: 'announceRefund' }], firstFailed, left(4), 15],
    ['it is mined, and its event is not shown yet', [{}], firstMined, onItsWay, 0],
    [
      'one of an earlier nonce was mined for nothing',
      [{}, { step: 'announceRefund', nonce: 1n }],
      firstFailed,
      onItsWay,
      0,
    ],
    ['the call of its write was mined for nothing', [{ purpose: 'call' }], firstFailed, onItsWay, 0],
    ['the node gives no answer', [{}], ([hash = '0x']) => ({ receipts: { [hash]: 'unavailable' } }), onItsWay, 0],
  ])('given %s, then the refund goes on as it must', async (_, signed, show, outcome, seconds, attemptsLeft = 5) => {
    const intent = await anOwedRefund()
    const hashes = await sign(intent, signed)
    await api.sql`update intents set refund_attempts_left = ${attemptsLeft}, relay_after = now() where id = ${intent.id}`
    const node = aScriptedNode(api, show(hashes))
    expect(await watchRefunds(relayOf(node))).toBe(1)
    const row = await refundOf(intent)
    expect(row).toMatchObject(outcome)
    expect(Math.abs(row.seconds - seconds)).toBeLessThan(3)
    expect(node.sent).toEqual([])
  })

  it('given the node answers about the second of two, then that one goes on', async () => {
    const intents = [await anOwedRefund(), await anOwedRefund()]
    const hashes = [
      ...(await sign(intents[0] as BoundIntent, [{}])),
      ...(await sign(intents[1] as BoundIntent, [{ nonce: 1n }])),
    ]
    const [first = '0x', second = '0x'] = hashes
    const receipts = { [first]: 'unavailable', [second]: failed } as const
    expect(await watchRefunds(relayOf(aScriptedNode(api, { receipts })))).toBe(2)
    const rows = await Promise.all(intents.map(refundOf))
    expect(rows.map(({ refundStatus }) => refundStatus)).toEqual(['refunding', 'pending'])
  })

  const stuck = { signedAgo: 21, sentAgo: 3 }
  const dearer = { maxFeePerGas: 4_000n, maxPriorityFeePerGas: 1_000n }
  it.each<[string, Signed, Partial<NodeState>, string | null | 'same' | 'nothing']>([
    ['it was sent a moment ago, and fees are higher', { signedAgo: 3, sentAgo: 3 }, { fees: dearer }, 'nothing'],
    ['it was sent five seconds ago', { signedAgo: 5, sentAgo: 5 }, {}, 'same'],
    ['it was never sent', { signedAgo: 3, sentAgo: null }, {}, 'same'],
    ['it is stuck, and fees are higher', stuck, { fees: dearer }, 'refundPrepaid'],
    ['its announcement is stuck', { ...stuck, step: 'announceRefund' }, { fees: dearer }, 'announceRefund'],
    ['its execution is stuck', { ...stuck, step: 'executeRefund' }, { fees: dearer }, 'executeRefund'],
    ['it is stuck behind another nonce', { ...stuck, nonce: 1n }, { fees: dearer }, 'nothing'],
    ['it is stuck at fees that are enough', stuck, {}, 'nothing'],
    ['it is stuck and silent at fees that are enough', { ...stuck, sentAgo: 5 }, {}, 'same'],
    ['it is stuck, and would revert', stuck, { simulate: () => reverting() }, null],
    [
      'it is stuck, and costs more than it gives back',
      stuck,
      { fees: { maxFeePerGas: 40_000n, maxPriorityFeePerGas: 1_000n }, hasCode: true },
      null,
    ],
  ])('given it is not mined and %s, then it is sent again, replaced or left', async (_, signed, shown, expected) => {
    const intent = await anOwedRefund()
    const [hash = '0x'] = await sign(intent, [signed])
    const before = await listAttempts()
    const node = aScriptedNode(api, shown)
    await watchRefunds(relayOf(node))
    const attempts = await listAttempts()
    if (expected === 'nothing') expect(node.sent).toEqual([])
    else if (expected === 'same') expect(node.sent).toEqual([before[0]?.raw])
    else {
      const replacement = attempts[1] ?? expect.fail('it was not replaced')
      expect(node.sent).toEqual([replacement.raw])
      expect(functionOf(replacement.raw)).toBe(expected)
      expect(replacement).toMatchObject({
        nonce: 0n,
        gasLimit: expected === null ? 21_000n : 125_000n,
        purpose: expected === null ? 'cancellation' : before[0]?.purpose,
      })
      expect(replacement.maxFeePerGas).toBeGreaterThanOrEqual(node.state.fees.maxFeePerGas)
      const current = expected === null ? hash : replacement.hash
      expect(await refundOf(intent)).toMatchObject({
        refundStatus: 'refunding',
        ...(expected !== null && { refundTxHash: current }),
      })
    }
    expect(attempts.length).toBe(expected === 'nothing' || expected === 'same' ? 1 : 2)
  })

  it('given a cancellation replaced it, then what is sent again with higher fees is the cancellation', async () => {
    const intent = await anOwedRefund()
    await sign(intent, [stuck])
    await watchRefunds(relayOf(aScriptedNode(api, { simulate: () => reverting() })))
    await api.sql`update attempts set created_at = now() - interval '21 seconds'`
    const simulate: NodeState['simulate'] = ({ gasLimit }) => (gasLimit < 100_000n ? reverting() : succeeding)
    const node = aScriptedNode(api, { simulate, fees: dearer })
    await watchRefunds(relayOf(node))
    expect((await listAttempts()).map(({ purpose }) => purpose)).toEqual(['refund', 'cancellation', 'cancellation'])
  })

  it.each([
    ['long ago', 21, 'pending', 3n],
    ['a moment ago', 3, 'refunding', 1n],
  ])(
    'given another transaction took its nonce, signed %s, then it gets a new one or waits',
    async (_, signedAgo, refundStatus, next) => {
      const intent = await anOwedRefund()
      await sign(intent, [{ signedAgo, sentAgo: 10 }])
      const node = aScriptedNode(api, { minedNonce: 3n })
      await watchRefunds(relayOf(node))
      expect(await refundOf(intent)).toMatchObject({ refundStatus })
      expect(await api.sql`select next_nonce from relayers`).toEqual([{ nextNonce: next }])
      expect(node.sent).toEqual([])
    },
  )
})
