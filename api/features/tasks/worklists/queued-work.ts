import type { Address } from 'viem'
import { withoutHiddenWorkers } from '../../../domain/hidden-workers.ts'
import { canViewTask, isInScope, scopeOf } from '../../../domain/visibility.ts'
import { listWaiting, type Waiting } from '../../../domain/worklists/waiting.ts'
import type { WalletPart } from '../../../domain/worklists/wallet-part.ts'
import { listWorkItems, type WorkItem } from '../../../domain/worklists/work-items.ts'
import { toSnapshot } from '../../../read-model/task-snapshot.queries.ts'
import { toAccessFacts } from '../access-facts.ts'
import type { CandidateRow } from './action-queue.queries.ts'

/** A task, with the items and the `waiting` entries that the task adds to a wallet's action queue. */
export interface QueuedWork {
  row: CandidateRow
  items: WorkItem[]
  waiting: Waiting[]
}

/**
 * Returns a list with one element: the task, with the items and the `waiting` entries that the task adds to the
 * wallet's action queue. If the caller may not see the task, the list is empty.
 */
export function listQueuedWork(
  row: CandidateRow,
  { wallet, isOwn, now }: { wallet: Address; isOwn: boolean; now: bigint },
): QueuedWork[] {
  const facts = toAccessFacts(row)
  if (isOwn ? !canViewTask(facts, wallet) : facts.taskVisibility !== 'public') return []
  const scope = scopeOf('submissions', facts, { address: isOwn ? wallet : null, holdsGrant: false })
  const task = withoutHiddenWorkers(toSnapshot(row), scope)
  const part = partOf(row, { wallet, isOwn, isEntryShown: scope !== null && isInScope(scope, wallet) })
  const items = listWorkItems(task, part, now)
  return [{ row, items, waiting: listWaiting(task, part, { now, items }) }]
}

/**
 * Returns the wallet's role in a task, as far as the caller may know the role. If the caller is not the wallet, the
 * result does not tell whether the wallet is the lowest bidder. If the task's policy hides the wallet's submissions
 * from the caller, the result does not tell of submissions and awards.
 */
function partOf(
  row: CandidateRow,
  { wallet, isOwn, isEntryShown }: { wallet: Address; isOwn: boolean; isEntryShown: boolean },
): WalletPart {
  return {
    address: wallet,
    activeSubmissionCount: isEntryShown ? row.ownActiveSubmissionCount : 0,
    isVerdictAwarded: isEntryShown && row.verdictAwarded.includes(wallet),
    isLowestBidder: isOwn && row.lowestBidder === wallet,
  }
}
