import { ProtocolError, ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server'
import type { ClientContext } from '../context.ts'
import { type FeedPorts, followActions, followTasks } from './feeds.ts'
import { findTask, type MarketResource, parseResource } from './market-resource.ts'

/** Maximum of subscribed resources. Each may need a stream, and the service allows a client 20. */
export const MAX_SUBSCRIPTIONS = 16
/** Timeout of the service's first answer to a subscription, milliseconds. */
const BEGIN_MS = 15_000

/** The `subscriptions/listen` request that holds a subscription; null: the connection itself, as in the 2025 protocol. */
type Holder = RequestId | null

/** Resources whose changes the host receives. */
export interface Subscriptions {
  /**
   * Adds resources. Every later change is notified, also after lost connections to the service.
   * @returns the resources that exist for this wallet and were not removed meanwhile
   * @throws ProtocolError above the maximum, and when the service does not answer: then none is added
   */
  add(holder: Holder, uris: readonly string[]): Promise<string[]>
  /** Removes one resource, or all of a holder. The last resource of a stream closes it. */
  remove(holder: Holder, uri?: string): void
  close(): void
}

interface Subscription {
  holder: Holder
  uri: string
  resource: MarketResource | null
  /** Key of the feed that reports its changes; null: not determined yet. */
  feed: string | null
}

interface Feed {
  begun: Promise<void>
  end: AbortController
}

/**
 * Creates the subscriptions of one connection. Tasks share one stream, except unlisted ones: the service sends their changes only
 * to a stream of their id. The action queue has a stream of its own.
 * @param notify receives the URI of a changed resource
 */
export function createSubscriptions(
  context: ClientContext,
  { notify, onError }: { notify: (uri: string) => void; onError: (message: string) => void },
): Subscriptions {
  const subscriptions = new Set<Subscription>()
  const feeds = new Map<string, Feed>()
  const changed = new Set<string>()

  /** Notifies once for entries that arrive together. */
  const flush = () => {
    const uris = [...changed]
    changed.clear()
    for (const uri of uris) if ([...subscriptions].some((subscription) => subscription.uri === uri)) notify(uri)
  }

  const openFeed = (key: string): Feed => {
    const end = new AbortController()
    const ports: FeedPorts = {
      signal: end.signal,
      onError: ({ message }) => {
        if (!end.signal.aborted) onError(message)
      },
      onChange: (taskId) => {
        if (end.signal.aborted) return
        if (changed.size === 0) setImmediate(flush)
        for (const { uri, resource, feed } of subscriptions) {
          const isOfTask = taskId === null || (resource?.kind === 'task' && resource.taskId === taskId)
          if (feed === key && isOfTask) changed.add(uri)
        }
      },
    }
    const feed = { begun: follow(context, key, ports), end }
    // A subscription removed meanwhile does not wait for the feed.
    feed.begun.catch(() => {})
    feeds.set(key, feed)
    return feed
  }

  const drop = (dropped: readonly Subscription[]) => {
    for (const subscription of dropped) subscriptions.delete(subscription)
    const used = new Set([...subscriptions].map(({ feed }) => feed))
    for (const [key, { end }] of feeds) {
      if (used.has(key)) continue
      feeds.delete(key)
      end.abort()
    }
  }

  /** Waits until no later change of the resource can be missed; drops a resource that does not exist. */
  const begin = async (subscription: Subscription) => {
    const key = await findFeed(context, subscription.resource)
    if (!subscriptions.has(subscription)) return
    if (key === null) return drop([subscription])
    subscription.feed = key
    await (feeds.get(key) ?? openFeed(key)).begun
  }

  return {
    add: async (holder, uris) => {
      const wanted = new Set(uris)
      const held = [...subscriptions].filter((subscription) => subscription.holder === holder)
      const fresh = [...wanted].filter((uri) => !held.some((subscription) => subscription.uri === uri))
      if (subscriptions.size + fresh.length > MAX_SUBSCRIPTIONS) throw tooMany()
      const added = fresh.map((uri) => ({ holder, uri, resource: parseResource(uri), feed: null }))
      for (const subscription of added) subscriptions.add(subscription)
      try {
        await inTime(Promise.all(added.map(begin)))
      } catch (error) {
        drop(added)
        throw notBegun(error)
      }
      const isHeld = (uri: string) => [...subscriptions].some((one) => one.holder === holder && one.uri === uri)
      return [...wanted].filter(isHeld)
    },
    remove: (holder, uri) =>
      drop([...subscriptions].filter((one) => one.holder === holder && (uri === undefined || one.uri === uri))),
    close: () => drop([...subscriptions]),
  }
}

const [TASKS, ACTIONS] = ['tasks', 'actions']

/** Returns the key of the feed that reports a resource; null: no such resource for this wallet. */
async function findFeed(context: ClientContext, resource: MarketResource | null): Promise<string | null> {
  if (resource?.kind === 'actions') return ACTIONS
  const task = resource === null ? null : await findTask(context, resource.taskId)
  if (resource === null || task === null) return null
  return task.taskVisibility === 'unlisted' ? resource.taskId : TASKS
}

async function follow(context: ClientContext, key: string, ports: FeedPorts): Promise<void> {
  if (key === ACTIONS) return await followActions(context, ports, context.account?.address ?? '')
  return await followTasks(context, ports, key === TASKS ? undefined : key)
}

function tooMany(): ProtocolError {
  const message =
    `A host can be told of ${MAX_SUBSCRIPTIONS} resources at most: end the subscription to one, or follow ` +
    'task-market://actions, which has all that this wallet can do.'
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

function notBegun(error: unknown): ProtocolError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ProtocolError(ProtocolErrorCode.InternalError, `Nothing is subscribed to; try again later. ${reason}`)
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The service did not answer in ${BEGIN_MS / 1000} seconds.`)), BEGIN_MS)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
