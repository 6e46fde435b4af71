import type { Address } from 'viem'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationMarket, CreationTerms } from './creation-terms.ts'
import { type EvaluatedTask, refuseEvaluation } from './evaluation.ts'
import { refuseHooks } from './hooks.ts'

/** Why the optional parts of a task contradict each other; null: they do not. */
export function refuseExtras(
  terms: CreationTerms,
  market: CreationMarket,
  { requester }: { requester: Address | null },
): Refusal | null {
  const { platformFeeBps } = market
  return (
    refuseHooks(terms, market) ??
    refuseEvaluator(terms, { requester, platformFeeBps }) ??
    refuseDrop(terms) ??
    refuseAccess(terms)
  )
}

function refuseEvaluator(terms: CreationTerms, task: EvaluatedTask): Refusal | null {
  const { evaluator } = terms
  if (evaluator !== undefined) return refuseEvaluation({ ...terms, evaluator }, task)
  const fields = ['evaluationWindowHours', 'appealWindowHours', 'disputeResolver'] as const
  const given = fields.find((field) => terms[field] !== undefined) ?? (terms.evaluatorFeeBps > 0 && 'evaluatorFeeBps')
  return given ? bad(given, 'evaluator_missing', `${given} needs an evaluator.`) : null
}

function refuseDrop({ taskDropId, taskDropCreate }: CreationTerms): Refusal | null {
  if (taskDropId === undefined || taskDropCreate === undefined) return null
  return bad('taskDropId', 'two_task_drops', 'Give taskDropId or taskDropCreate, not both.')
}

function refuseAccess({ taskVisibility, allowedViewers, accessPassword }: CreationTerms): Refusal | null {
  const isPrivate = taskVisibility === 'private'
  const hasAccess = (allowedViewers ?? []).length > 0 || accessPassword !== undefined
  if (isPrivate && !hasAccess) {
    return bad('allowedViewers', 'private_access_missing', 'A private task needs allowedViewers or an accessPassword.')
  }
  if (isPrivate || !hasAccess) return null
  const field = accessPassword === undefined ? 'allowedViewers' : 'accessPassword'
  return bad(field, 'access_without_private', `${field} is for private tasks only.`)
}

function bad(field: string, failure: string, message: string): Refusal {
  return refuse(400, failure, message, { field })
}
