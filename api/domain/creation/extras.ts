import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/** Hooks of a task in all, and the zero address, which is none. */
const MAX_HOOKS = 8
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Why the optional parts of a task contradict each other; null: they do not. */
export function refuseExtras(terms: CreationTerms): Refusal | null {
  return refuseHooks(terms) ?? refuseEvaluator(terms) ?? refuseDrop(terms) ?? refuseAccess(terms)
}

function refuseHooks({ hookContract, hookContracts }: CreationTerms): Refusal | null {
  if (hookContract === ZERO_ADDRESS) return bad('hookContract', 'invalid_hooks', 'hookContract must not be zero.')
  if (hookContracts === undefined) return null
  if (hookContract !== undefined) {
    return bad('hookContracts', 'invalid_hooks', 'Give hookContract or hookContracts, not both.')
  }
  const isList = hookContracts.length >= 1 && hookContracts.length <= MAX_HOOKS
  const areUnique = new Set(hookContracts).size === hookContracts.length
  if (isList && areUnique && !hookContracts.includes(ZERO_ADDRESS)) return null
  return bad(
    'hookContracts',
    'invalid_hooks',
    `hookContracts must be 1 to ${MAX_HOOKS} different addresses, none zero.`,
  )
}

function refuseEvaluator(terms: CreationTerms): Refusal | null {
  if (terms.evaluator !== undefined) return null
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
