import { zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { finalizeIntent, finalizeRefund, reopenIntent, reopenRefund } from '../../../api/intents/finality.queries.ts'
import { holdIntent } from '../../../api/intents/held.queries.ts'
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
import { bindIntent } from '../../support/bound-intent.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment } from './payments.ts'

/** Acts of a paused process in the version that it read, after others went on. */

const api = aStartedApi()

const rowOf = async ({ id }: ReadIntent) => (await api.sql`select * from intents where id = ${id}`)[0]

const mined = { txHash: zeroHash, blockNumber: 1n, blockHash: zeroHash }
const failure = { reason: 'stale result', mined, refund: true }
const changes: [string, (intent: ReadIntent) => Promise<unknown>][] = [
  ['marks it broadcast', (intent) => markBroadcast(api.sql, intent, zeroHash)],
  ['requeues it', (intent) => requeueIntent(api.sql, intent, 'prepaid')],
  ['completes it', (intent) => completeIntent(api.sql, intent, { mined, index: 0, taskId: null, result: {} })],
  ['records a block', (intent) => recordMined(api.sql, intent, mined)],
  ['fails it', (intent) => failIntent(api.sql, intent, failure)],
  ['holds it', (intent) => holdIntent(api.sql, intent, { finding: 'stale result', restSeconds: 1 })],
  ['reopens it', (intent) => reopenIntent(api.sql, intent)],
  ['finalizes it', (intent) => finalizeIntent(api.sql, intent)],
  ['requests a refund', (intent) => requestRefund(api.sql, intent)],
  ['ends its payment watch', (intent) => endPaymentWatch(api.sql, intent)],
  ['signs its refund', (intent) => markRefunding(api.sql, intent, zeroHash)],
  ['requeues its refund', (intent) => requeueRefund(api.sql, intent)],
  ['repeats its refund', (intent) => repeatRefund(api.sql, intent, { attemptsLeft: 1, restSeconds: 1 })],
  ['fails its refund', (intent) => failRefund(api.sql, intent, 'why')],
  [
    'renews the signature of its refund',
    (intent) => renewRefundSignature(api.sql, intent, { signature: '0x12', firstAttempts: 5 }),
  ],
  ['finishes its refund', (intent) => finishRefund(api.sql, intent, mined)],
  ['reopens its refund', (intent) => reopenRefund(api.sql, intent)],
  ['finalizes its refund', (intent) => finalizeRefund(api.sql, intent)],
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

it.each(changes)('given it %s in the version that it read, then no state is changed', async (_name, change) => {
  const seen = await bindIntent(api, { relay: { mode: 'paid', payment: aPayment() } })
  for (const state of states) {
    await api.sql.unsafe(`update intents set ${state} where id = '${seen.id}'`)
    const before = await rowOf(seen)
    await change(seen)
    expect(await rowOf(seen), state).toEqual(before)
  }
})
