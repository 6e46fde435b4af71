import type { Address } from 'viem'
import type { Detail } from '../../../protocol/details.ts'
import type { ActionRole } from '../pending-action.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRequest, type AdmissionRule, isAbout, mayAct } from './action-rule.ts'
import { type ActionArgs, actionRules, findRule } from './action-rules.ts'
import { findExclusion } from './exclusion.ts'

/**
 * The number of seconds after which a caller may repeat a refused request. Used if a request is refused because another
 * write is being mined. One or two blocks are mined in this time.
 */
const RETRY_AFTER_SECONDS = 2
/**
 * The number of last seconds before an action's deadline in which a write that is being mined does not exclude the
 * action. If the action were refused and the write then failed, the deadline might pass before the caller could try
 * again.
 */
const NEVER_EXCLUDED_SECONDS = 120n

/**
 * Returns the refusal of a request to act on a task, or null if the request is allowed. The first check, before the
 * payment, uses only the arguments and public facts, because no actor is known. The second check also uses the payer or
 * signer. An allowed request succeeds on chain while the snapshot is current.
 */
export function admit<Action extends keyof ActionArgs>(
  action: Action,
  task: TaskSnapshot,
  request: ActionRequest<ActionArgs[Action]>,
): Refusal | null {
  const rule = findRule(action, task)
  if (rule !== undefined) return admitBy(rule, task, request)
  const [any] = actionRules[action]
  return mayAct(task, request.actor) ?? refuseKind({ action, denial: any?.denial }, task)
}

/**
 * Returns the refusal of a request by the given rule, or null if the request is allowed. The rule may be outside the
 * rule table.
 */
export function admitBy<Args>(
  rule: AdmissionRule<Args>,
  task: TaskSnapshot,
  request: ActionRequest<Args>,
): Refusal | null {
  const accessRefusal = isForAnyone(rule, task) ? null : mayAct(task, request.actor)
  if (accessRefusal !== null) return accessRefusal
  if (!isAbout(rule, task)) return refuseKind(rule, task)
  return (
    refuseState(rule, task, request.now) ??
    refuseActor(rule, task, request.actor) ??
    rule.check?.(task, request) ??
    null
  )
}

/**
 * Returns the refusal that follows from the task's state at `now`. It is the same for every account and for all
 * arguments. Returns null if the state allows the action.
 */
export function refuseState<Args>(rule: AdmissionRule<Args>, task: TaskSnapshot, now: bigint): Refusal | null {
  if (!rule.statuses.includes(task.status)) {
    const neededStatuses = rule.statuses.join(' or ')
    return refuse(409, 'wrong_state', `The task is ${task.status}; ${toWords(rule.action)} needs it ${neededStatuses}.`)
  }
  const { from, until } = rule.window(task)
  const other = findExclusion(rule, task)
  const canWait = until === null || until - now > NEVER_EXCLUDED_SECONDS
  if (other !== undefined && canWait) return refuseWhileMined(rule, other)
  if (from !== null && now < from) {
    return refuse(409, 'too_early', `This is possible from ${from} (Unix seconds) on; the chain is at ${now}.`)
  }
  if (until !== null && now >= until) {
    return refuse(409, 'deadline_passed', `This was possible before ${until} (Unix seconds); the chain is at ${now}.`)
  }
  return rule.blocked?.(task) ?? null
}

/**
 * Returns the refusal of an action that is excluded by another write (`other`). The other write is now being mined. If
 * the other write fails, the service allows the refused request again.
 */
function refuseWhileMined({ action }: { action: string }, other: string): Refusal {
  return refuse(
    409,
    'task_changing',
    `Another write of this task (${toWords(other)}) is being mined, and ${toWords(action)} is not possible after it. Nothing ` +
      'was charged; where that write fails, send the same request again with the same key.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}

/**
 * Returns true if any account may take the action, even on a private task. Such an action only carries out what the
 * state on chain already determines.
 */
function isForAnyone<Args>(rule: AdmissionRule<Args>, task: TaskSnapshot): boolean {
  return rule.eligible(task).some(({ role }) => role === 'anyone')
}

function refuseActor<Args>(rule: AdmissionRule<Args>, task: TaskSnapshot, actor: Address | null): Refusal | null {
  const eligibleAccounts = rule.eligible(task)
  if (actor === null || eligibleAccounts.some(({ address }) => address === null || address === actor)) return null
  const wallets = eligibleAccounts.map(({ role, address }) => `the ${role} ${address}`).join(' or ')
  const [first] = eligibleAccounts
  return refuse(
    403,
    notRole(first?.role ?? 'worker'),
    `Only ${wallets} may do this, not ${actor}; nothing was charged.`,
  )
}

/** Returns the error detail for an account that does not have the role. The role `anyone` never refuses an account. */
function notRole(role: ActionRole): Detail {
  switch (role) {
    case 'requester':
      return 'not_requester'
    case 'evaluator':
      return 'not_evaluator'
    case 'dispute_resolver':
      return 'not_dispute_resolver'
    default:
      return 'not_worker'
  }
}

function refuseKind(
  { action, denial = `has no ${toWords(action)}` }: { action: string; denial?: string | undefined },
  { mode, auctionType }: TaskSnapshot,
): Refusal {
  const kind = mode === 'auction' && auctionType !== null ? `${toWords(auctionType)} auction` : `${mode} task`
  return refuse(409, 'wrong_mode', `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind} ${denial}.`)
}

function toWords(action: string): string {
  return action.replaceAll('_', ' ')
}
