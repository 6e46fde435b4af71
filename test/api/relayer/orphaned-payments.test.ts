import { type Hex, zeroAddress } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { transactionOfIntent } from '../../../api/intents/relayed-call.ts'
import { reconcileHeld } from '../../../api/relayer/loops/reconcile-held.ts'
import { returnOrphanedPayments } from '../../../api/relayer/loops/return-orphaned-payments.ts'
import { anActor } from '../../support/actors.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment, bindTransfer, relayLog, transferLogs } from './payments.ts'
import { aScriptedNode, type NodeState, reverting, unanswered } from './scripted-node.ts'

const payer = anActor().address
const used: Hex = `0x${'77'.repeat(32)}`
const VALUE = 5n
const [END, GRACE] = [START + 100n, 120n]

const api = aStartedApi()
beforeEach(() => api.sql`delete from intents`)

type Kind = 'paid' | 'bound' | 'transfer'

/** A write of a kind that was bound at block 50. */
async function aWrite(kind: Kind, columns: Record<string, unknown>): Promise<BoundIntent> {
  const payment = aPayment({ from: payer, value: VALUE, validBefore: END })
  const intent =
    kind === 'transfer'
      ? await bindTransfer(api, payment, { boundAtBlock: 50n })
      : await bindIntent(api, {
          relay: kind === 'paid' ? { mode: kind, payment } : { mode: kind, payment: { ...payment, salt: aHash() } },
          boundAtBlock: 50n,
        })
  await api.sql`update intents set ${api.sql(columns)} where id = ${intent.id}`
  return intent
}

const rowOf = async ({ id }: BoundIntent) =>
  (await api.sql`select status, payment_watched, refund_status, tx_hash, relay_tries from intents where id = ${id}`)[0]

/** Its money arrived: in the forwarder, or at the receiver of a transfer. */
function arrived(intent: BoundIntent): Partial<NodeState> {
  const nonce = 'relay' in intent && 'payment' in intent.relay ? intent.relay.payment.nonce : decodeNonce(intent)
  const to = 'relay' in intent ? api.deps.deployment.forwarder : zeroAddress
  const logs = transferLogs(api, { from: payer, nonce, to, value: VALUE }, used)
  return {
    views: { authorizationState: true },
    logs: { AuthorizationUsed: logs.slice(0, 1) },
    receipts: { [used]: { logs } },
  }
}

const decodeNonce = ({ calldata }: BoundIntent): Hex => `0x${calldata.slice(10 + 5 * 64, 10 + 6 * 64)}`

/** A relayer relayed the bound payment. */
function relayed(intent: BoundIntent): Partial<NodeState> {
  const paymentNonce = 'relay' in intent && 'payment' in intent.relay ? intent.relay.payment.nonce : aHash()
  const call = { intentId: intent.chainIntentId, actor: payer, paymentNonce, amount: VALUE }
  return {
    views: { spent: true },
    logs: { IntentRelayed: [relayLog(api, call, used)] },
    transactions: { [used]: transactionOfIntent(intent as never, api.deps.deployment) },
  }
}

const unseen = () => ({ views: { authorizationState: true } })
const unused = () => ({})
const watched = { status: 'failed', paymentWatched: true, refundStatus: null }
const over = { status: 'failed', paymentWatched: false, refundStatus: null }
const owed = { status: 'failed', refundStatus: 'pending' }
const found = { status: 'broadcast', txHash: used }
const later = { timestamp: END + GRACE + 1n }

describe('the payment of a failed write', () => {
  it.each<[Kind, string, (intent: BoundIntent) => Partial<NodeState>, Partial<NodeState>, object]>([
    ...(['paid', 'bound', 'transfer'] as const).flatMap((kind): [Kind, string, typeof unused, object, object][] => [
      [kind, 'unused', unused, {}, watched],
      [kind, 'unused two minutes after its end', unused, { timestamp: END + GRACE }, watched],
      [kind, 'unused later', unused, later, over],
      [kind, 'unused later, on a node behind its bind', unused, { ...later, number: 49n }, watched],
    ]),
    ['paid', 'used, not shown where', unseen, later, watched],
    ['paid', 'in the forwarder', arrived, {}, owed],
    ['paid', 'in the forwarder, seen long after its end', arrived, later, owed],
    ['paid', 'in the forwarder since the block of its bind', arrived, { number: 50n }, owed],
    ['paid', 'in the forwarder, on a node behind its bind', arrived, { number: 49n }, watched],
    ['bound', 'relayed after all', relayed, {}, found],
    ['bound', 'relayed after all in the block of its bind', relayed, { number: 50n }, found],
    ['bound', 'relayed, on a node behind its bind', relayed, { number: 49n }, watched],
    ['bound', 'relayed, and the node does not show where', () => ({ views: { spent: true } }), later, watched],
    ['transfer', 'submitted after all', arrived, {}, found],
    ['transfer', 'submitted in the block of its bind', arrived, { number: 50n }, found],
    ['transfer', 'submitted, on a node behind its bind', arrived, { number: 49n }, watched],
    ['transfer', 'used, not shown where', unseen, later, watched],
  ])('given a %s one that is %s, then it is watched, given back or found', async (kind, _, show, shown, outcome) => {
    const intent = await aWrite(kind, { status: 'failed', paymentWatched: true })
    expect(await returnOrphanedPayments(aScriptedNode(api, { ...show(intent), ...shown }).deps)).toBe(5_000)
    expect(await rowOf(intent)).toMatchObject(outcome)
  })
})

describe('a held intent', () => {
  it.each<[string, Partial<NodeState>, object]>([
    ['its authorization is free again', {}, { status: 'recorded', relayTries: 0 }],
    ['its call reverts, and nothing was charged', { simulate: () => reverting() }, { status: 'failed' }],
    ['the node does not show more', { ...unseen(), simulate: () => reverting() }, { status: 'held', relayTries: 1 }],
    ['the node gives no answer', { simulate: unanswered }, { status: 'held', relayTries: 1 }],
  ])('given %s, then it is resolved, or left for a while', async (_, shown, outcome) => {
    const intents = [await aWrite('paid', { status: 'held' }), await aWrite('paid', { status: 'held' })]
    expect(await reconcileHeld(aScriptedNode(api, shown).deps)).toBe(5_000)
    for (const intent of intents) expect(await rowOf(intent)).toMatchObject(outcome)
  })
})
