import { ProtocolError, ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server'
import type { ClientContext } from '../context.ts'
import { type FeedPorts, followActions, followTasks } from './feeds.ts'
import { findTask, type MarketResource, parseResource } from './market-resource.ts'

/**
 * The maximum number of subscribed resources. Each resource may need its own stream, and the service allows one client
 * 20 streams.
 */
export const MAX_SUBSCRIPTIONS = 16
/** Timeout in milliseconds for the service's first answer to a subscription. */
const BEGIN_MS = 15_000

/**
 * The holder of a subscription: the id of a `subscriptions/listen` request, or null for the connection itself (2025
 * protocol).
 */
type Holder = RequestId | null

/** The resources whose changes are reported to the host. */
export interface Subscriptions {
  /**
   * Adds resources. After that, the host is notified of every change of these resources, even after a lost connection
   * to the service.
   * @returns the added resources: those that exist for this wallet and were not removed in the meantime
   * @throws ProtocolError when there are too many subscriptions, or when the service does not answer; no resource is
   * then added
   */
  add(holder: Holder, uris: readonly string[]): Promise<string[]>
  /**
   * Removes the holder's subscription to the resource `uri`, or all of the holder's subscriptions if `uri` is absent. A
   * stream closes when no subscription uses it any more.
   */
  remove(holder: Holder, uri?: string): void
  close(): void
}

interface Subscription {
  holder: Holder
  uri: string
  resource: MarketResource | null
  /** The key of the feed (stream of changes) that covers this resource; null until the key is known. */
  feed: string | null
}

interface Feed {
  begun: Promise<void>
  end: AbortController
}

/**
 * Creates the subscriptions of one connection. The action queue has its own stream. All tasks share one stream, except
 * unlisted tasks. Each unlisted task needs its own stream, whose request must name the task's id.
 * @param notify receives the URI of a changed resource
 */
export function createSubscriptions(
  context: ClientContext,
  { notify, onError }: { notify: (uri: string) => void; onError: (message: string) => void },
): Subscriptions {
  const subscriptions = new Set<Subscription>()
  const feeds = new Map<string, Feed>()
  const changedUris = new Set<string>()

  /**
   * Notifies the host once for each changed resource, even if several log entries about the resource arrived together.
   */
  const flush = () => {
    const uris = [...changedUris]
    changedUris.clear()
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
        if (changedUris.size === 0) setImmediate(flush)
        for (const { uri, resource, feed } of subscriptions) {
          const isOfTask = taskId === null || (resource?.kind === 'task' && resource.taskId === taskId)
          if (feed === key && isOfTask) changedUris.add(uri)
        }
      },
    }
    const feed = { begun: follow(context, key, ports), end }
    // A subscription removed meanwhile does not wait for the feed.
    feed.begun.catch(() => {})
    feeds.set(key, feed)
    return feed
  }

  const drop = (droppedSubscriptions: readonly Subscription[]) => {
    for (const subscription of droppedSubscriptions) subscriptions.delete(subscription)
    const usedFeeds = new Set([...subscriptions].map(({ feed }) => feed))
    for (const [key, { end }] of feeds) {
      if (usedFeeds.has(key)) continue
      feeds.delete(key)
      end.abort()
    }
  }

  /**
   * Opens the feed (stream of changes) of a subscription's resource. Returns when the feed is open, so that the caller
   * misses no later change. Removes the subscription if the resource does not exist.
   */
  const begin = async (subscription: Subscription) => {
    const key = await findFeed(context, subscription.resource)
    if (!subscriptions.has(subscription)) return
    if (key === null) return drop([subscription])
    subscription.feed = key
    await (feeds.get(key) ?? openFeed(key)).begun
  }

  return {
    add: async (holder, uris) => {
      const wantedUris = new Set(uris)
      const heldSubscriptions = [...subscriptions].filter((subscription) => subscription.holder === holder)
      const newUris = [...wantedUris].filter(
        (uri) => !heldSubscriptions.some((subscription) => subscription.uri === uri),
      )
      if (subscriptions.size + newUris.length > MAX_SUBSCRIPTIONS) throw tooMany()
      const newSubscriptions = newUris.map((uri) => ({ holder, uri, resource: parseResource(uri), feed: null }))
      for (const subscription of newSubscriptions) subscriptions.add(subscription)
      try {
        await inTime(Promise.all(newSubscriptions.map(begin)))
      } catch (error) {
        drop(newSubscriptions)
        throw notBegun(error)
      }
      const isHeld = (uri: string) => [...subscriptions].some((one) => one.holder === holder && one.uri === uri)
      return [...wantedUris].filter(isHeld)
    },
    remove: (holder, uri) =>
      drop([...subscriptions].filter((one) => one.holder === holder && (uri === undefined || one.uri === uri))),
    close: () => drop([...subscriptions]),
  }
}

const [TASKS, ACTIONS] = ['tasks', 'actions']

/**
 * Returns the key of the feed (stream of changes) that covers a resource. Returns null if the wallet may not read the
 * resource.
 */
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
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The service did not answer in ${BEGIN_MS / 1000} seconds.`)), BEGIN_MS)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
