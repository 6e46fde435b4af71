import { toAddress } from '../../../protocol/normalise.ts'
import type { ClientContext } from '../context.ts'
import { isFinal, readActions, type WorkItem } from '../reads/actions.ts'
import { type EventFilters, type EventsOptions, onceInARow, pause } from '../reads/events.ts'
import { ReadError } from '../reads/pages.ts'
import { Refused } from '../writes/write-spec.ts'
import { type Action, type ActionRole, isActionName, type Offer, openAction } from './action.ts'
import { followOpenTasks } from './follow-open-tasks.ts'
import { createOffers } from './offers.ts'

/** Actions to be asked for. `tags`, `mode` and `minReward` narrow what open tasks offer, and nothing else. */
export interface ActionsOptions
  extends Pick<EventFilters, 'tags' | 'mode' | 'minReward'>,
    Pick<EventsOptions, 'signal' | 'onProblem'> {
  role: ActionRole
  /** The account whose actions they are; that of the client unless given. Of another one none can be run. */
  address?: string
}

/**
 * The actions of a wallet in one role, as they become possible: those of its action queue and, for a worker, entries into open
 * tasks in which it has no part yet. Each comes once for as long as it is offered, and again when it was closed in between. Both
 * are followed by streams, which are opened again where they end.
 * @throws ReadError for an answer that another try will not change; Error without an account
 * @example for await (const action of followActions(context, { role: 'worker', tags: ['haiku'] })) console.log(action.describe())
 */
export async function* followActions(
  context: ClientContext,
  { role, address = context.account?.address, signal: given, onProblem, ...filters }: ActionsOptions,
): AsyncGenerator<Action, void, undefined> {
  if (address === undefined)
    throw new Error('Actions are those of an account: give the client one, or name an `address`.')
  const wallet = toAddress(address)
  const end = new AbortController()
  const signal = given === undefined ? end.signal : AbortSignal.any([end.signal, given])
  const tellProblem = onceInARow(onProblem)
  const options = { wallet, signal, ...(onProblem && { onProblem }) }
  const offers = createOffers(signal)
  const follow = async () => {
    for await (const { items } of readActions(context, wallet, options)) {
      offers.replace(
        'queue',
        items.flatMap((item) => (item.role === role ? offersOf(item) : [])),
      )
    }
  }
  const followed = [
    follow(),
    ...(role === 'worker' ? [followOpenTasks(context, { ...options, ...filters, offers })] : []),
  ]
  Promise.all(followed).catch(offers.fail)
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
      if (action !== null && !signal.aborted) yield action
    }
  } finally {
    end.abort()
  }
}

function offersOf({ task, role, actions }: WorkItem): Offer[] {
  return actions.flatMap(({ action, targetWorker }) =>
    isActionName(action) ? [{ taskId: task.id, name: action, role, worker: targetWorker ?? null }] : [],
  )
}

/** The service or the node does not answer now. */
function isForNow(error: unknown): error is Error {
  return error instanceof Refused || (error instanceof ReadError && !isFinal(error.status))
}
