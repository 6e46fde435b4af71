import { assignedModes } from '../../../protocol/rules/selectors.ts'
import { refuse } from '../refusal.ts'
import { type AdmissionRule, always, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which the requester records a refusal of a delivery. After the refusal, `settle_stale` refunds the
 * requester instead of paying the worker. The action is not a pending action, because it settles nothing. See the
 * interface specification, "Other rules".
 */
export const objectToDelivery: AdmissionRule<NoArgs> = {
  action: 'objection',
  modes: assignedModes,
  statuses: ['pending_approval'],
  eligible: requesterOnly,
  window: always,
  blocked: ({ objected }) =>
    objected ? refuse(409, 'already_objected', 'The refusal of this delivery is on record already.') : null,
}
