import type { TaskAccessFacts, Viewer } from './access-facts.ts'
import type { Relation } from './access-table.ts'

/** Everything a caller is to a task; `anonymous` in any case. */
export function relationsOf(task: TaskAccessFacts, { address, holdsGrant }: Viewer): Relation[] {
  const found: Relation[] = ['anonymous']
  if (holdsGrant) found.push('grant_holder')
  if (address === null) return found
  found.push('wallet')
  if (address === task.requester) found.push('requester')
  if (address === task.evaluator) found.push('evaluator')
  if (address === task.disputeResolver) found.push('resolver')
  if (task.participants.includes(address)) found.push('participant')
  if (task.viewers.includes(address)) found.push('viewer')
  return found
}
