import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'
import { isBiddingType } from '../../../protocol/rules/selectors.ts'
import { type Refusal, refuse } from '../refusal.ts'

/**
 * Returns a refusal if the pitch or bid deadline of a new task does not fit the task's duration, else null. Deadlines
 * and duration are in seconds from the creation.
 */
export function refuseWindows({ mode, auctionType, duration, pitchDeadline, bidDeadline }: TaskTerms): Refusal | null {
  if (mode === 'pitch' && pitchDeadline !== undefined && pitchDeadline > duration) {
    return refuse(400, 'pitch_deadline_after_expiry', 'pitchDeadline must not lie after the expiry.', {
      field: 'pitchDeadline',
    })
  }
  if (mode !== 'auction') return null
  if (!isBiddingType(auctionType)) {
    if (bidDeadline === undefined || bidDeadline <= duration) return null
    return refuse(400, 'bid_deadline_after_expiry', 'bidDeadline must not lie after the expiry.', {
      field: 'bidDeadline',
    })
  }
  if (bidDeadline === undefined || bidDeadline >= duration) {
    return refuse(400, 'bid_deadline_not_before_expiry', 'bidDeadline must be given and lie before the expiry.', {
      field: 'bidDeadline',
    })
  }
  return null
}
