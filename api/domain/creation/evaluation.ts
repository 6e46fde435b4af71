import { type Address, zeroAddress } from 'viem'
import type { EvaluationRequest } from '../../../protocol/creation/evaluator-terms.ts'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'
import type { Detail } from '../../../protocol/details.ts'
import { BPS } from '../../../protocol/rules/amounts.ts'
import { MIN_APPEAL_WINDOW_SECONDS } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'

/**
 * The task that an evaluation is requested for. `requester` is null while the payer of the task's creation is unknown.
 */
export interface EvaluatedTask {
  requester: Address | null
  platformFeeBps: number
}

/**
 * Returns the refusal of an evaluation's terms, or null. Evaluator, resolver and requester must be three different
 * accounts. The evaluator fee and the platform fee must not sum to more than 10000 basis points. See the interface
 * specification, "Evaluator flow".
 */
export function refuseEvaluation(
  terms: EvaluationRequest,
  { requester, platformFeeBps }: EvaluatedTask,
): Refusal | null {
  const { evaluator, disputeResolver, evaluatorFeeBps, appealWindowHours } = terms
  if (evaluator === zeroAddress) return bad('evaluator', 'invalid_evaluator', 'evaluator must not be zero.')
  if (disputeResolver === zeroAddress) {
    return bad('disputeResolver', 'invalid_evaluator', 'disputeResolver must not be zero; leave it out instead.')
  }
  if (disputeResolver === evaluator) {
    return bad('disputeResolver', 'invalid_evaluator', 'disputeResolver must be another account than the evaluator.')
  }
  if (BigInt(evaluatorFeeBps) + BigInt(platformFeeBps) > BPS) {
    const maxFeeBps = BPS - BigInt(platformFeeBps)
    return bad(
      'evaluatorFeeBps',
      'fees_too_high',
      `evaluatorFeeBps must be at most ${maxFeeBps}: the platform takes the rest.`,
    )
  }
  if (appealWindowHours !== undefined && appealWindowHours < MIN_APPEAL_WINDOW_SECONDS) {
    return bad(
      'appealWindowHours',
      'appeal_window_too_short',
      `appealWindowHours must be at least ${MIN_APPEAL_WINDOW_SECONDS} seconds, a twelfth of an hour.`,
    )
  }
  return refuseRequester(terms, requester)
}

/**
 * Returns the refusal of a new task's evaluator terms. Returns null if the terms are valid. A task without an evaluator
 * must have no evaluator terms, such as an evaluator fee.
 */
export function refuseEvaluator(terms: TaskTerms, task: EvaluatedTask): Refusal | null {
  const { evaluator } = terms
  if (evaluator !== undefined) return refuseEvaluation({ ...terms, evaluator }, task)
  const fields = ['evaluationWindowHours', 'appealWindowHours', 'disputeResolver'] as const
  const strayField =
    fields.find((field) => terms[field] !== undefined) ?? (terms.evaluatorFeeBps > 0 && 'evaluatorFeeBps')
  return strayField ? bad(strayField, 'evaluator_missing', `${strayField} needs an evaluator.`) : null
}

function refuseRequester({ evaluator, disputeResolver }: EvaluationRequest, requester: Address | null): Refusal | null {
  if (requester === null || (evaluator !== requester && disputeResolver !== requester)) return null
  const field = evaluator === requester ? 'evaluator' : 'disputeResolver'
  return refuse(403, 'requester_cannot_judge', `The requester ${requester} cannot be the ${field} of its own task.`, {
    field,
  })
}

function bad(field: string, failure: Detail, message: string): Refusal {
  return refuse(400, failure, message, { field })
}
