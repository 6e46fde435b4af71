import { expect, test } from 'vitest'
import { writes } from '../../../api/routes.ts'
import type { Operation } from '../../../api/writes/define-write.ts'

/**
 * Whether a write needs a legal receipt. Spec, "Legal acceptance": withdrawal, refund, cancellation and appeal work
 * without accepting a new version; Interface, "Legal", names them. A new operation does not compile without its line.
 */
const protection: Record<Operation, 'protected' | 'free'> = {
  'tasks.create': 'protected',
  'tasks.update': 'protected',
  'tasks.cancel': 'free',
  'tasks.refundExpired': 'free',
  'tasks.accept': 'protected',
  'tasks.acceptSubmissions': 'protected',
  'tasks.rate': 'protected',
  'submissions.create': 'protected',
  'submissions.reject': 'protected',
  'claims.create': 'protected',
  'tasks.forfeit': 'protected',
  'tasks.object': 'protected',
}

test.each(writes.map(({ operation, legalExempt }) => ({ operation, legalExempt })))(
  '$operation is protected or free as the interface says',
  ({ operation, legalExempt }) => {
    expect(legalExempt === true ? 'free' : 'protected').toBe(protection[operation])
  },
)
