import { expect, test } from 'vitest'
import {
  finalizeIntent,
  finalizeRefund,
  reopenIntent,
  reopenRefund,
  reopenSubmitted,
} from '../../../api/intents/finality.queries.ts'
import { holdIntent } from '../../../api/intents/held.queries.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import {
  awaitEarlier,
  completeIntent,
  failIntent,
  markBroadcast,
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
import { intentStatuses } from '../../../protocol/intent-statuses.ts'
import { intentMoves } from '../../../scripts/diagrams/intent-moves.ts'
import { bindIntent, getIntent } from '../../support/bound-intent.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment, bindTransfer } from './payments.ts'

const api = aStartedApi()

const mined = { txHash: aHash(), blockNumber: 5n, blockHash: aHash() }
type Statements = Record<string, (intent: BoundIntent) => Promise<unknown>>
const statements: Statements = {
  markBroadcast: (intent) => markBroadcast(api.sql, intent, aHash()),
  completeIntent: (intent) => completeIntent(api.sql, intent, { mined, index: 0, taskId: null, result: {} }),
  failIntent: (intent) => failIntent(api.sql, intent, { reason: 'It reverted.', mined: null, refund: false }),
  requeueIntent: (intent) => requeueIntent(api.sql, intent, null),
  awaitEarlier: (intent) => awaitEarlier(api.sql, intent, 1),
  holdIntent: (intent) => holdIntent(api.sql, intent, { finding: 'used', restSeconds: 1 }),
  reopenIntent: (intent) => reopenIntent(api.sql, intent),
}
/** Statements that name no version, or that take no paid write. */
const others: Statements = {
  'service.close_held_intent': ({ id }) => api.sql`select service.close_held_intent(${id}, 'It is closed.')`,
  reopenSubmitted: (intent) => reopenSubmitted(api.sql, intent, aHash()),
}
const boundStatuses = intentStatuses.filter((status) => status !== 'reserved')

test('given a statement of the diagram, when run on each status of a bound write, then it moves those that it names', async () => {
  const actual: Record<string, unknown> = {}
  for (const [name, run] of Object.entries({ ...statements, ...others })) {
    const from: string[] = []
    for (const status of boundStatuses) {
      // Any account may submit it: each statement takes it.
      const { id } = await bindTransfer(api, aPayment())
      await api.sql`update intents set status = ${status}, watched = true where id = ${id}`
      const before = await api.sql`select version from intents where id = ${id}`
      await run(await getIntent(api, id))
      const [after] = await api.sql<{ status: string; version: string }[]>`
        select status, version from intents where id = ${id}`
      if (after?.version !== before[0]?.version) from.push(`${status} -> ${after?.status}`)
    }
    actual[name] = from.sort()
  }
  const documented = intentMoves.map(({ from, to, statement }) => [
    statement,
    from.map((status) => `${status} -> ${to}`),
  ])
  expect(actual).toEqual(Object.fromEntries(documented.map(([name, pairs]) => [name, [...(pairs ?? [])].sort()])))
})

/** Statements that move no intent to another status. */
const changes: Statements = {
  recordMined: (intent) => recordMined(api.sql, intent, mined),
  finalizeIntent: (intent) => finalizeIntent(api.sql, intent),
  requestRefund: (intent) => requestRefund(api.sql, intent),
  endPaymentWatch: (intent) => endPaymentWatch(api.sql, intent),
  markRefunding: (intent) => markRefunding(api.sql, intent, aHash()),
  requeueRefund: (intent) => requeueRefund(api.sql, intent),
  repeatRefund: (intent) => repeatRefund(api.sql, intent, { attemptsLeft: 1, restSeconds: 1 }),
  failRefund: (intent) => failRefund(api.sql, intent, 'why'),
  renewRefundSignature: (intent) => renewRefundSignature(api.sql, intent, { signature: '0x12', firstAttempts: 5 }),
  finishRefund: (intent) => finishRefund(api.sql, intent, mined),
  reopenRefund: (intent) => reopenRefund(api.sql, intent),
  finalizeRefund: (intent) => finalizeRefund(api.sql, intent),
}
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

test.each(Object.entries({ ...statements, ...changes }))(
  'given a paused process, when it runs %s in the version that it read, then no state is changed',
  async (_name, run) => {
    const seen = await bindIntent(api, { relay: { mode: 'paid', payment: aPayment() } })
    const find = async () => (await api.sql`select * from intents where id = ${seen.id}`)[0]
    for (const state of states) {
      await api.sql.unsafe(`update intents set ${state} where id = '${seen.id}'`)
      const before = await find()
      await run(seen)
      expect(await find(), state).toEqual(before)
    }
  },
)
