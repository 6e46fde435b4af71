import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

/** Why this deployment cannot create a task that is well-formed otherwise; null: it can. */
export function refuseWhatIsNotOffered(terms: CreationTerms): Refusal | null {
  if (terms.taskVisibility === 'private') return notOffered('taskVisibility', 'private tasks')
  return null
}

function notOffered(field: string, what: string): Refusal {
  return refuse(400, 'not_offered', `This deployment does not offer ${what} yet.`, { field })
}
