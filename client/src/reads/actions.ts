import type { operations } from '../api/openapi.ts'
import type { ClientContext } from '../context.ts'
import { queueShape } from '../http/command-shapes.ts'
import { messagesOf } from '../http/messages-of.ts'
import { isRecord, list, record, type Shape, text } from '../http/shape.ts'
import { type EventsOptions, onceInARow, openStream, pause } from './events.ts'
import { ReadError } from './pages.ts'
import { readJson } from './read-json.ts'

/** An item of a wallet's action queue: a task and the actions that the wallet can take on it now. */
export type WorkItem = operations['getActionQueue']['responses'][200]['content']['application/json']['items'][number]

/** A wallet's action queue after a change, and the change itself. */
export interface ActionsChange {
  /**
   * All current items. A complete read of the queue has the service's order. An item that the stream adds later stands
   * at the end.
   */
  items: WorkItem[]
  /** Items that are new or changed. */
  available: WorkItem[]
  /** The ids of the items that are no longer in the queue. */
  closed: string[]
}

const PATH = '/api/agents/action-queue'
/** The expected form of an answer with an action queue. Every item must have an id. */
const shape: Shape = {
  ...queueShape,
  accepts: (value) => queueShape.accepts(value) && record({ items: list(record({ id: text })) })(value),
}

/**
 * Yields a wallet's action queue after each change, until the caller stops. Reads the queue at intervals while no
 * stream is available.
 * @throws ReadError for a permanent error: a retry would fail with the same error
 * @example
 * for await (const { available } of readActions(context, address)) {
 *   for (const item of available) await handle(item)
 * }
 */
export async function* readActions(
  context: ClientContext,
  address: string,
  { signal, onProblem }: Pick<EventsOptions, 'signal' | 'onProblem'> = {},
): AsyncGenerator<ActionsChange, void, undefined> {
  const queue = createQueue()
  const tellProblem = onceInARow(onProblem)
  let pauseMs = context.timing.pauseMs
  while (signal?.aborted !== true) {
    const options = { address, actions: address, onProblem: tellProblem, ...(signal !== undefined && { signal }) }
    const body = await openStream(context, options, { after: null, finalizedUpTo: null })
    const openedAt = performance.now()
    if (body === null || body === 'gone') {
      const answer = await readJson(context, PATH, { address }, shape)
      const change = answer.ok ? queue.replace((answer.body as { items: WorkItem[] }).items) : null
      if (change !== null) yield change
      if (!answer.ok && isFinal(answer.status)) throw new ReadError(answer.message, answer)
    } else {
      for await (const { event, value } of messagesOf(body, signal)) {
        const change = queue.apply(event, value)
        if (change !== null) yield change
      }
    }
    const hasLasted = performance.now() - openedAt > context.timing.maxPauseMs
    pauseMs = hasLasted ? context.timing.pauseMs : Math.min(pauseMs * 1.5, context.timing.maxPauseMs)
    await pause(pauseMs, signal)
  }
}

/**
 * Creates a store for the items of an action queue. `replace` takes a complete queue, and `apply` takes a message of
 * the stream. Both functions return the change, or null if no item changed. The first complete queue always counts as a
 * change.
 */
function createQueue() {
  let items: Map<string, WorkItem> | null = null
  const change = (next: Map<string, WorkItem>): ActionsChange | null => {
    const before = items
    items = next
    const availableItems = [...next.values()].filter(
      (item) => JSON.stringify(item) !== JSON.stringify(before?.get(item.id)),
    )
    const closedIds = [...(before?.keys() ?? [])].filter((id) => !next.has(id))
    if (before !== null && availableItems.length === 0 && closedIds.length === 0) return null
    return { items: [...next.values()], available: availableItems, closed: closedIds }
  }
  const replace = (all: readonly WorkItem[]) => change(new Map(all.map((item) => [item.id, item])))
  return {
    replace,
    apply: (event: string, value: unknown) => {
      if (event === 'actions' && shape.accepts(value)) return replace((value as { items: WorkItem[] }).items)
      if (items === null || !isRecord(value)) return null
      const next = new Map(items)
      if (event === 'action.available' && shape.accepts({ items: [value] }))
        next.set(String(value.id), value as unknown as WorkItem)
      else if (event === 'action.closed') next.delete(String(value.id))
      return change(next)
    },
  }
}

/** Reports whether a retry of a refused read would get the same answer. For example, returns true for status 404. */
export function isFinal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 429
}
