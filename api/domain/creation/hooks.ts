import { zeroAddress } from 'viem'
import { toOwnHooks } from '../../../protocol/creation/own-hooks.ts'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'
import { MAX_HOOKS } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TermsMarket } from './creation-terms.ts'

type HookTerms = Pick<TaskTerms, 'hookContract' | 'hookContracts' | 'hookData'>

/**
 * Returns the refusal of a new task's hooks, or null. Only the addresses of the hooks are checked, not the contracts at
 * the addresses. The market's default hooks count in the limit `MAX_HOOKS`. See the interface specification, "Tasks".
 */
export function refuseHooks(terms: HookTerms, { defaultHooks }: TermsMarket): Refusal | null {
  const { hookContract, hookContracts } = terms
  if (hookContract !== undefined && hookContracts !== undefined) {
    return bad('hookContracts', 'Give hookContract or hookContracts, not both.')
  }
  if (hookContracts?.length === 0) return bad('hookContracts', 'hookContracts must name at least one hook.')
  const field = hookContract === undefined ? 'hookContracts' : 'hookContract'
  const hooks = toOwnHooks(terms)
  if (hooks.includes(zeroAddress)) return bad(field, `${field} must not be zero.`)
  if (new Set(hooks).size < hooks.length) return bad(field, `${field} names a hook twice.`)
  const repeatedHook = defaultHooks.find((hook) => hooks.includes(hook))
  if (defaultHooks.length + hooks.length === 0 && (terms.hookData ?? '0x') !== '0x') {
    return bad('hookData', 'hookData is for the hooks of a task, and this one has none.')
  }
  if (repeatedHook !== undefined)
    return bad(field, `Every task of this market runs with the hook ${repeatedHook} already.`)
  if (defaultHooks.length + hooks.length <= MAX_HOOKS) return null
  return bad(field, `A task has at most ${MAX_HOOKS} hooks, ${defaultHooks.length} of them the market’s own.`)
}

function bad(field: string, message: string): Refusal {
  return refuse(400, 'invalid_hooks', message, { field })
}
