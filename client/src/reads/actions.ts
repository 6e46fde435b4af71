import type { operations } from '../api/openapi.ts'
import type { ClientContext } from '../context.ts'
import { queueShape } from '../http/command-shapes.ts'
import { messagesOf } from '../http/messages-of.ts'
import { isRecord, list, record, type Shape, text } from '../http/shape.ts'
import { type EventsOptions, onceInARow, openStream, pause } from './events.ts'
import { ReadError } from './pages.ts'
import { readJson } from './read-json.ts'

/** Something that a wallet can do now: an item of its action queue. */
export type WorkItem = operations['getActionQueue']['responses'][200]['content']['application/json']['items'][number]

/** The queue of a wallet after a change, and what has changed. */
export interface ActionsChange {
  /** All that the wallet can do now: in the order of the service when it was read as a whole, with what came later at the end. */
  items: WorkItem[]
  /** Those that are new or that say something else now. */
  available: WorkItem[]
  /** Ids of those that are over. */
  closed: string[]
}

const PATH = '/api/agents/action-queue'
/** A queue whose items can be told apart. */
const shape: Shape = {
  ...queueShape,
  accepts: (value) => queueShape.accepts(value) && record({ items: list(record({ id: text })) })(value),
}

/**
 * The action queue of a wallet, whenever it has changed, for as long as it is asked for: by a stream, which is opened again where it
 * ends, and by reads while none can be had.
 * @throws ReadError for an answer that another try will not change
 * @example for await (const { available } of readActions(context, address)) for (const item of available) await handle(item)
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

/** Keeps the items of a queue. Its functions tell what has changed; null: nothing has. The first change is always one. */
function createQueue() {
  let items: Map<string, WorkItem> | null = null
  const change = (next: Map<string, WorkItem>): ActionsChange | null => {
    const before = items
    items = next
    const available = [...next.values()].filter((item) => JSON.stringify(item) !== JSON.stringify(before?.get(item.id)))
    const closed = [...(before?.keys() ?? [])].filter((id) => !next.has(id))
    if (before !== null && available.length === 0 && closed.length === 0) return null
    return { items: [...next.values()], available, closed }
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

/** Says of the status of a refused read that another try gets the same answer. */
export function isFinal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 429
}
