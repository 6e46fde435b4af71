import type { Detail } from '../../../protocol/details.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/**
 * Checks the fields for the task drop and for private access. Returns a refusal if the fields contradict each other, or
 * if a private task has neither allowed viewers nor a password. Otherwise returns null. The service stores these fields
 * off chain.
 */
export function refuseExtras(terms: CreationTerms): Refusal | null {
  return refuseDrop(terms) ?? refuseAccess(terms)
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

function bad(field: string, failure: Detail, message: string): Refusal {
  return refuse(400, failure, message, { field })
}
