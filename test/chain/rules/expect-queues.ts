import { type Address, type Hex, zeroAddress } from 'viem'
import { expect } from 'vitest'
import type { Database } from '../../../api/db/client.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { listCandidates } from '../../../api/features/tasks/worklists/action-queue.queries.ts'
import { listQueuedWork } from '../../../api/features/tasks/worklists/queued-work.ts'
import type { ActionName } from '../../../protocol/actions.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { MarketLog } from '../indexer/market-logs.ts'
import { createRandom } from '../indexer/random.ts'
import { allAttempts } from './attempts/all-attempts.ts'
import { evaluateAll } from './evaluate-calls.ts'
import { wallets } from './wallets.ts'

/** Who has which action in the queue, as the interface names it; every other action is in no queue. */
const named: Partial<
  Record<ActionName, (task: TaskSnapshot, wallet: Address, logs: readonly MarketLog[]) => string[]>
> = {
  accept: ofRequester,
  accept_submissions: ofRequester,
  reject_submission: ofRequester,
  evaluator_timeout: ofRequester,
  select_worker: ofRequester,
  refund_expired: ofRequester,
  forfeit: ofRequester,
  rate: ofRequester,
  submit: (task, wallet) => rolesIf('worker', task.worker === wallet),
  appeal: () => ['worker'],
  evaluate: (task, wallet) => rolesIf('evaluator', task.evaluator === wallet),
  resolve_dispute: (task, wallet) => rolesIf('dispute_resolver', task.disputeResolver === wallet),
  settle_stale: (task, wallet) => [
    ...ofRequester(task, wallet),
    ...rolesIf('worker', task.worker === wallet && ['pending_approval', 'review'].includes(task.status)),
  ],
  finalize_verdict: (task, wallet) => [
    ...ofRequester(task, wallet),
    ...rolesIf('worker', task.worker === wallet || task.verdictAwarded.includes(wallet)),
  ],
  select_winner: (task, wallet, logs) => [
    ...ofRequester(task, wallet),
    ...rolesIf('worker', lowestBidderOf(task, logs) === wallet),
  ],
}

/**
 * The queue of every wallet at `now`, action by action, as far as it is about these tasks, against the contract: it holds what the interface names and the
 * contract takes from this very wallet, and nothing else. Returns the actions that were found.
 */
export async function expectQueuesEqual(
  chain: MarketChain,
  sql: Database,
  { tasks, logs, now }: { tasks: readonly TaskSnapshot[]; logs: readonly MarketLog[]; now: bigint },
): Promise<string[]> {
  const expected = new Map<Address, string[]>(wallets.map((wallet) => [wallet, []]))
  for (const task of tasks) {
    for (const { wallet, entry } of await listPossible(chain, { task, logs, now })) expected.get(wallet)?.push(entry)
  }
  for (const wallet of wallets) {
    const { rows } = await listCandidates(sql, wallet, true)
    const found = rows
      .filter(({ id }) => tasks.some((task) => task.id === id))
      .flatMap((row) => listQueuedWork(row, { wallet, isOwn: true, now }))
      .flatMap(({ row, items }) =>
        items.flatMap(({ role, actions }) => actions.map(({ action }) => `${row.id} ${role} ${action}`)),
      )
    expect({ wallet, queue: [...new Set(found)].sort() }).toEqual({ wallet, queue: expected.get(wallet)?.sort() })
  }
  return [...expected.values()].flat().map((entry) => entry.split(' ').slice(1).join(' '))
}

/** What the contract takes of the wallets that the interface names, with the arguments that suggest themselves. */
async function listPossible(
  chain: MarketChain,
  { task, logs, now }: { task: TaskSnapshot; logs: readonly MarketLog[]; now: bigint },
): Promise<{ wallet: Address; entry: string }[]> {
  const random = createRandom(1)
  const calls = wallets.flatMap((wallet) =>
    (Object.keys(named) as ActionName[]).flatMap((action) => {
      const occasion = { task, actor: wallet, now, random }
      const roles = named[action]?.(task, wallet, logs) ?? []
      return allAttempts[action].sensible(occasion).map((args) => ({
        wallet,
        entries: roles.map((role) => `${task.id} ${role} ${action}`),
        actor: wallet,
        data: encodeMarketCall(zeroAddress, ...(allAttempts[action].call(occasion, args) as ['cancelTask', [Hex]]))
          .data,
      }))
    }),
  )
  const answers = await evaluateAll(chain, now, calls)
  const possible = new Map<string, { wallet: Address; entry: string }>()
  for (const [index, { wallet, entries }] of calls.entries()) {
    if (answers[index] !== true) continue
    for (const entry of entries) possible.set(`${wallet} ${entry}`, { wallet, entry })
  }
  return [...possible.values()]
}

function ofRequester(task: TaskSnapshot, wallet: Address): string[] {
  return rolesIf('requester', task.requester === wallet)
}

function rolesIf(role: string, holds: boolean): string[] {
  return holds ? [role] : []
}

/** Of equal bids the earlier one. */
function lowestBidderOf({ id, lowestBid }: TaskSnapshot, logs: readonly MarketLog[]): Address | null {
  const log = logs.find(
    (candidate) =>
      candidate.eventName === 'BidSubmitted' && candidate.args.taskId === id && candidate.args.price === lowestBid,
  )
  return log?.eventName === 'BidSubmitted' ? (log.args.worker.toLowerCase() as Address) : null
}
