import { expect, test } from 'vitest'
import { reopenIntent, reopenSubmitted } from '../../../api/intents/finality.queries.ts'
import { holdIntent } from '../../../api/intents/held.queries.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import {
  awaitEarlier,
  completeIntent,
  failIntent,
  markBroadcast,
  requeueIntent,
} from '../../../api/intents/outbox.queries.ts'
import { intentStatuses } from '../../../protocol/intent-statuses.ts'
import { intentMoves } from '../../../scripts/diagrams/intent-moves.ts'
import { getIntent } from '../../support/bound-intent.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aPayment, bindTransfer } from './payments.ts'

const api = aStartedApi()

const mined = { txHash: aHash(), blockNumber: 5n, blockHash: aHash() }
const statements: Record<string, (intent: BoundIntent) => Promise<unknown>> = {
  markBroadcast: (intent) => markBroadcast(api.sql, intent, aHash()),
  completeIntent: (intent) => completeIntent(api.sql, intent, { mined, index: 0, taskId: null, result: {} }),
  failIntent: (intent) => failIntent(api.sql, intent, { reason: 'It reverted.', mined: null, refund: false }),
  requeueIntent: (intent) => requeueIntent(api.sql, intent, null),
  awaitEarlier: (intent) => awaitEarlier(api.sql, intent, 1),
  holdIntent: (intent) => holdIntent(api.sql, intent, { finding: 'used', restSeconds: 1 }),
  'service.close_held_intent': ({ id }) => api.sql`select service.close_held_intent(${id}, 'It is closed.')`,
  reopenIntent: (intent) => reopenIntent(api.sql, intent),
  reopenSubmitted: (intent) => reopenSubmitted(api.sql, intent, aHash()),
}
const boundStatuses = intentStatuses.filter((status) => status !== 'reserved')

test('given a statement of the diagram, when run on each status of a bound write, then it moves those that it names', async () => {
  const actual: Record<string, unknown> = {}
  for (const [name, run] of Object.entries(statements)) {
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
