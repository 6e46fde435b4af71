import type { TaskMode } from '../../../src/rules/selectors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CreationTerms } from './creation-terms.ts'

const offeredModes: readonly TaskMode[] = ['bounty', 'claim']

/** Why this deployment cannot create a task that is well-formed otherwise; null: it can. */
export function refuseWhatIsNotOffered(terms: CreationTerms): Refusal | null {
  if (!offeredModes.includes(terms.mode)) return notOffered('mode', `tasks of mode ${terms.mode}`)
  if (terms.evaluator !== undefined) return notOffered('evaluator', 'evaluators')
  if (terms.hookContract !== undefined) return notOffered('hookContract', 'custom hooks')
  if (terms.hookContracts !== undefined) return notOffered('hookContracts', 'custom hooks')
  if (terms.taskVisibility === 'private') return notOffered('taskVisibility', 'private tasks')
  if (terms.taskDropId !== undefined) return notOffered('taskDropId', 'task drops')
  if (terms.taskDropCreate !== undefined) return notOffered('taskDropCreate', 'task drops')
  return null
}

function notOffered(field: string, what: string): Refusal {
  return refuse(400, 'not_offered', `This deployment does not offer ${what} yet.`, { field })
}
