import { type ActionRule, isAbout } from '../../api/domain/actions/action-rule.ts'
import { type ActionArgs, actionRules } from '../../api/domain/actions/action-rules.ts'
import type { TaskSnapshot } from '../../api/domain/task-snapshot.ts'
import { operations } from '../../protocol/operations.ts'
import { statusAfterSelection } from '../../protocol/rules/selection.ts'
import type { AuctionType, TaskMode } from '../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../protocol/rules/task-status.ts'

/** The kinds of task. The key of each is the name of its marked block in docs/learn/modes.md. */
export const taskKinds: Record<string, { mode: TaskMode; auctionType: AuctionType | null }> = {
  bounty: { mode: 'bounty', auctionType: null },
  benchmark: { mode: 'benchmark', auctionType: null },
  claim: { mode: 'claim', auctionType: null },
  pitch: { mode: 'pitch', auctionType: null },
  bidding: { mode: 'auction', auctionType: 'english' },
  clock: { mode: 'auction', auctionType: 'dutch' },
}

/** Actions that only a task with an evaluator has. */
const evaluatorActions = ['evaluate', 'appeal', 'resolve_dispute', 'finalize_verdict', 'evaluator_timeout']

/** Statuses that a task does not reach in every mode. Each is reached only in some modes, or only with an evaluator. */
const statusesOfOthers: readonly TaskStatus[] = ['claimed', 'worker_selected', 'review']

/**
 * A task in which each party has its own account. From these accounts, the table shows which party may take an action.
 */
const parties = {
  requester: '0x01',
  worker: '0x02',
  evaluator: '0x03',
  disputeResolver: '0x04',
  soleActiveWorker: '0x02',
} as unknown as TaskSnapshot

/**
 * Returns the table of actions for one kind of task, without the actions of an evaluator. Example:
 * `toModeActions('bounty')`.
 */
export function toModeActions(kind: string): string {
  const taskKind = taskKinds[kind]
  if (taskKind === undefined) throw new Error(`no kind of task "${kind}"`)
  const assignedStatus = statusAfterSelection(taskKind.mode === 'pitch' ? 'pitch' : 'claim')
  const isReached = (status: TaskStatus) => status === assignedStatus || !statusesOfOthers.includes(status)
  return toTable((action, rule) => !evaluatorActions.includes(action) && isAbout(rule, taskKind), isReached)
}

/** Returns the table of the additional actions of a task with an evaluator. */
export function toEvaluatorActions(): string {
  return toTable((action) => evaluatorActions.includes(action))
}

function toTable(
  isShown: (action: string, rule: ActionRule<never>) => boolean,
  isReached: (status: TaskStatus) => boolean = () => true,
): string {
  const names = Object.keys(actionRules) as (keyof ActionArgs)[]
  const rows = names.flatMap((action) => {
    const rules: readonly ActionRule<never>[] = actionRules[action]
    const shownRules = rules.filter((rule) => isShown(action, rule))
    return shownRules.length === 0 ? [] : [toRow(action, shownRules, isReached)]
  })
  return `| action | route | who | in status | price |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`
}

function toRow(
  action: string,
  rules: readonly ActionRule<never>[],
  isReached: (status: TaskStatus) => boolean,
): string {
  const paths = Object.values(operations)
    .filter((operation) => 'action' in operation && operation.action === action)
    .map(({ path }) => `\`${path.replace('/tasks/{taskId}', '')}\``)
  const roles = rules.flatMap((rule) => rule.eligible(parties).map(({ role }) => role.replace('_', ' ')))
  const statuses = rules.flatMap(({ statuses: names }) => names.filter(isReached).map((name) => `\`${name}\``))
  const cells = [`\`${action}\``, listOf(paths), listOf(roles), listOf(statuses), priceOf(rules)]
  return `| ${cells.join(' | ')} |`
}

function listOf(values: readonly string[]): string {
  return [...new Set(values)].join(', ')
}

function priceOf(rules: readonly ActionRule<never>[]): string {
  const [rule] = rules
  if (rule?.stake !== undefined) return 'free, or the stake'
  return rule?.fee === null || rule === undefined ? 'free' : `${Number(rule.fee) / 1e6} USDC`
}
