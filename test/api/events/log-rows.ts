import type { Hex } from 'viem'
import { appendEvents } from '../../../api/events/append-events.ts'
import type { TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'

/** Time of a block: one every two seconds. */
export const timeOf = (block: number) => START + BigInt(block) * 2n

/** Of an award. */
const amounts = { grossAmount: '4', workerPayment: '3', platformFee: '1', selfAward: false }

/** Commits of the indexer so far. */
let commits = 0

/** Events of one task by block, as the indexer would leave them, and the log that is made of them. */
export function createLogRows(
  api: TestApi,
  { taskId, subject, ordinal = 0 }: { taskId: Hex; subject: Hex; ordinal?: number },
) {
  let next = ordinal
  return {
    /** The newest block of the rows, in a run of the indexer. */
    setHead: async (block: number, origin = 'one') => {
      const place = { blockNumber: BigInt(block), blockTimestamp: timeOf(block) }
      commits += 1
      const head = { ...place, checkpoint: '', ready: true, version: `1:${commits}` }
      await api.sql`delete from indexed_head`
      await api.sql`insert into indexed_head ${api.sql({ ...head, schemaVersion: 'idx_one', origin })}`
    },
    /** So many events in a block, each of a transaction of its own. */
    mine: async (block: number, events: number, name = 'TaskCancelled', said: object = {}) => {
      for (let logIndex = 0; logIndex < events; logIndex += 1) {
        const place = { blockNumber: BigInt(block), blockTimestamp: timeOf(block), transactionHash: aHash(), logIndex }
        const row = { id: `${taskId}:${next}`, taskId, ordinal: next, name, subject, statusAfter: 'open', amount: null }
        const args = api.sql.json({
          refund: String(logIndex),
          worker: subject,
          deliverable: aHash(),
          ...amounts,
          ...said,
        })
        await api.sql`insert into task_event ${api.sql({ ...row, args, transactionIndex: 0, ...place } as never)}`
        next += 1
      }
    },
    append: async () => {
      while ((await appendEvents(api)) === 0);
    },
    clear: async () => {
      await api.sql`truncate service.events, service.event_parties, service.event_log, task_event`
    },
  }
}
