import type { Address, Hex } from 'viem'
import type { Transaction } from '../db/client.ts'
import { commonSubmissionRows, isInScope } from '../domain/visibility.ts'
import { listTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'
import type { EntryRow } from './event-log.queries.ts'
import { listToldEvents, type ToldEvent, takeDueReveals } from './reveals.queries.ts'

/** The largest number of event ids in one `revealed` entry. */
const IDS_AT_MOST = 500

/** A new entry after which earlier entries of the same task may become visible to more readers. */
export type RevealingEntry = Pick<EntryRow, 'kind' | 'taskId' | 'addresses' | 'blockNumber' | 'blockTimestamp'>

/** An event log entry of kind `revealed` that has no sequence number yet. */
type Reveal = Omit<EntryRow, 'sequence'>

/** A selection of earlier log entries that become visible to more accounts. All these entries are about one task. */
interface Revealing {
  taskId: Hex
  /**
   * The accounts to which the selected entries become visible. If the list is empty, the entries become visible to
   * every account that may see the task.
   */
  to: Address[]
  /** Returns true if the selection contains `event`, an earlier entry of the task. */
  what(event: ToldEvent, task: TaskAccess): boolean
}

const endings = ['task.completed', 'task.expired', 'task.cancelled']
const assignments = ['claim.created', 'worker.selected', 'auction.accepted', 'award.settled']
const isHidden = ({ resource }: ToldEvent) => resource === 'submissions' || resource === 'proofs'

/**
 * Returns the `revealed` entries to append. A `revealed` entry tells readers that they may now see earlier entries.
 * Cases:
 * - Submissions become visible at the end of the task.
 * - A task becomes visible to an evaluator who was assigned, or to a worker who got the task or an award.
 * - Sealed bids become visible at the bid deadline.
 * - A private task becomes visible to an invited wallet.
 */
export async function listReveals(
  tx: Transaction,
  { made, head }: { made: readonly RevealingEntry[]; head: { blockNumber: bigint; blockTimestamp: bigint } },
): Promise<Reveal[]> {
  const ofTime = (await takeDueReveals(tx, head.blockTimestamp)).map(({ taskId, viewer }): Revealing & typeof head => ({
    ...head,
    taskId,
    to: viewer === null ? [] : [viewer],
    what: ({ kind }) => viewer !== null || kind === 'bid.created',
  }))
  const ofEntries = made.flatMap((entry) => {
    const reveal = toRevealing(entry)
    return reveal === null ? [] : [{ ...reveal, blockNumber: entry.blockNumber, blockTimestamp: entry.blockTimestamp }]
  })
  const revealEvents = [...ofEntries, ...ofTime]
  const tasks = await listTaskAccess(tx, [...new Set(revealEvents.map(({ taskId }) => taskId))])
  const toldOf = new Map<Hex, readonly ToldEvent[]>()
  const reveals: Reveal[] = []
  for (const { taskId, to, what, blockNumber, blockTimestamp } of revealEvents) {
    const task = tasks.get(taskId)
    if (task === undefined) continue
    const ofTask = toldOf.get(taskId) ?? (await listToldEvents(tx, taskId))
    toldOf.set(taskId, ofTask)
    const revealedEvents = ofTask.filter((event) => what(event, task))
    for (let begin = 0; begin < revealedEvents.length; begin += IDS_AT_MOST) {
      const sequences = revealedEvents.slice(begin, begin + IDS_AT_MOST).map(({ sequence }) => sequence.toString())
      reveals.push({
        kind: 'revealed',
        source: null,
        blockNumber,
        blockTimestamp,
        transactionHash: null,
        logIndex: null,
        taskId,
        resource: 'task',
        worker: null,
        addresses: to,
        data: { sequences },
        parties: [],
        privateParties: [],
      })
    }
  }
  return reveals
}

function toRevealing({ kind, taskId, addresses }: RevealingEntry): Revealing | null {
  if (taskId === null) return null
  if (endings.includes(kind)) {
    return {
      taskId,
      to: [],
      what: (event, task) =>
        task.submissionVisibility !== 'public' &&
        isHidden(event) &&
        event.worker !== null &&
        isInScope(commonSubmissionRows(task), event.worker),
    }
  }
  if (kind === 'evaluator.assigned') {
    return {
      taskId,
      to: addresses,
      what: (event, task) =>
        task.taskVisibility === 'private' || (task.submissionVisibility !== 'public' && isHidden(event)),
    }
  }
  if (!assignments.includes(kind)) return null
  return {
    taskId,
    to: addresses,
    what: (_, task) =>
      task.taskVisibility === 'private' && !addresses.every((address) => task.viewers.includes(address)),
  }
}
