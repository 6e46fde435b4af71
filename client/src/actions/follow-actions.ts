import { toAddress } from '../../../protocol/normalise.ts'
import type { ClientContext } from '../context.ts'
import { isFinal, readActions, type WorkItem } from '../reads/actions.ts'
import { type EventFilters, type EventsOptions, onceInARow, pause } from '../reads/events.ts'
import { ReadError } from '../reads/pages.ts'
import { Refused } from '../writes/write-spec.ts'
import { type Action, type ActionRole, isActionName, type Offer, openAction } from './action.ts'
import { followOpenTasks } from './follow-open-tasks.ts'
import { createOffers, type Offers } from './offers.ts'

/**
 * Options that select actions. `tags`, `mode` and `minReward` apply only to entry into open tasks, such as a claim or a
 * bid.
 */
export interface ActionsOptions
  extends Pick<EventFilters, 'tags' | 'mode' | 'minReward'>,
    Pick<EventsOptions, 'signal' | 'onProblem'> {
  role: ActionRole
  /**
   * The account that acts; by default, the client's account. The actions of another account can be read but not run.
   */
  address?: string
}

/**
 * Yields the actions that a wallet can take in one role, as they become possible. For a worker, the actions include
 * entry into open tasks by a claim, bid, pitch or submission.
 *
 * Each action is yielded once. If its run does not complete, it is yielded again.
 * @throws ReadError for a permanent error: a retry would fail with the same error
 * @throws Error if there is no account
 * @example
 * const actions = followActions(context, { role: 'worker', tags: ['haiku'] })
 * for await (const action of actions) console.log(action.describe())
 */
export async function* followActions(
  context: ClientContext,
  { role, address = context.account?.address, signal: callerSignal, onProblem, ...filters }: ActionsOptions,
): AsyncGenerator<Action, void, undefined> {
  if (address === undefined)
    throw new Error('Actions are those of an account: give the client one, or name an `address`.')
  const wallet = toAddress(address)
  const end = new AbortController()
  const signal = callerSignal === undefined ? end.signal : AbortSignal.any([end.signal, callerSignal])
  const tellProblem = onceInARow(onProblem)
  const options = { wallet, signal, ...(onProblem && { onProblem }) }
  const offers = createOffers(signal, context.timing.maxPauseMs)
  const follow = async () => {
    const offersIn = (items: readonly WorkItem[]) => items.flatMap((item) => (item.role === role ? offersOf(item) : []))
    for await (const { items, available } of readActions(context, wallet, options)) {
      offers.replace('queue', offersIn(items), offersIn(available))
    }
  }
  const loops = [follow(), ...(role === 'worker' ? [followOpenTasks(context, { ...options, ...filters, offers })] : [])]
  Promise.all(loops).catch(offers.fail)
  try {
    while (!signal.aborted) {
      const offer = offers.take()
      if (offer === null) {
        await offers.changed()
        continue
      }
      const action = await openAction(context, offer, wallet).catch((error: unknown) => {
        if (!isForNow(error)) throw error
        tellProblem(error.message)
        return 'later' as const
      })
      if (action === 'later') {
        offers.putBack(offer)
        await pause(context.timing.maxPauseMs, signal)
        continue
      }
      tellProblem(null)
      // The source of the offer may be ahead of the task, or behind it.
      if (action === null) offers.retry(offer, null)
      else if (!signal.aborted) yield withRetry(action, { offer, offers })
    }
  } finally {
    end.abort()
  }
}

/** Returns the action with a `run` function that makes the offer available again after an incomplete run. */
function withRetry(action: Action, { offer, offers }: { offer: Offer; offers: Offers }): Action {
  const run = async (...runArguments: unknown[]) => {
    const outcome = await (action.run as (...runArguments: unknown[]) => ReturnType<Action['run']>)(...runArguments)
    if (outcome.kind !== 'completed') offers.retry(offer, outcome)
    return outcome
  }
  return { ...action, earlier: offers.listUnfinished(offer), run } as Action
}

function offersOf({ task, role, actions }: WorkItem): Offer[] {
  return actions.flatMap(({ action, targetWorker }) =>
    isActionName(action) ? [{ taskId: task.id, name: action, role, worker: targetWorker ?? null }] : [],
  )
}

/**
 * Reports whether the error is temporary: the node did not answer, or the service returned an error that a retry may
 * change.
 */
function isForNow(error: unknown): error is Error {
  return error instanceof Refused || (error instanceof ReadError && !isFinal(error.status))
}
