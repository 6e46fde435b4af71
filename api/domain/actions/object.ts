import { assignedModes } from '../../../protocol/rules/selectors.ts'
import { refuse } from '../refusal.ts'
import { type AdmissionRule, always, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule for the requester's refusal of a delivery on record: silence does not pay the worker any more. It is never a
 * pending action, because it settles nothing. Interface, "Other rules".
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
