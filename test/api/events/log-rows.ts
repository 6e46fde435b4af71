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
  /** The newest block of the rows, in a run of the indexer. */
  const setHead = async (block: number, origin = 'one') => {
    const place = { blockNumber: BigInt(block), blockTimestamp: timeOf(block) }
    commits += 1
    const head = { ...place, checkpoint: '', ready: true, version: `1:${commits}` }
    await api.sql`delete from indexed_head`
    await api.sql`insert into indexed_head ${api.sql({ ...head, schemaVersion: 'idx_one', origin })}`
  }
  return {
    setHead,
    /** So many events in a block, each of a transaction of its own. */
    mine: async (block: number, events: number, name = 'TaskCancelled', said: object = {}) => {
      const rows = Array.from({ length: events }, (_, logIndex) => {
        const place = { blockNumber: BigInt(block), blockTimestamp: timeOf(block), transactionHash: aHash(), logIndex }
        const row = { id: `${taskId}:${next}`, taskId, ordinal: next, name, subject, statusAfter: 'open', amount: null }
        const fields = { refund: String(logIndex), worker: subject, deliverable: aHash(), ...amounts, ...said }
        next += 1
        return { ...row, args: api.sql.json(fields), transactionIndex: 0, ...place }
      })
      if (rows.length > 0) await api.sql`insert into task_event ${api.sql(rows as never)}`
    },
    /** Appends what the log lacks, at a head if one is given. */
    append: async (head?: number, origin?: string) => {
      if (head !== undefined) await setHead(head, origin)
      while ((await appendEvents(api)) === 0);
    },
    clear: async () => {
      await api.sql`truncate service.events, service.event_parties, service.event_log, task_event`
    },
  }
}
