import type { Context } from 'hono'
import type { Hex } from 'viem'
import { createNotifier } from '../../concurrency/notifier.ts'
import type { Deps } from '../../deps.ts'
import { tagOf } from '../../http/entity-tags.ts'
import { expectOtherTag } from '../../http/long-polls.ts'
import type { ReadyJson } from '../../http/ready-json.ts'
import { identify } from '../../identity/caller.ts'
import { recordRequest } from '../../observability/request-facts.ts'

export interface TaskWait {
  /** The entity tag of the answer that the client already has, without quotes. */
  after: string
  /** The time in seconds that the client is willing to wait. */
  seconds: number
  /** Returns the id of the requested task, or null if no task has the requested reference code yet. */
  findId(): Promise<Hex | null>
  /**
   * Checks the caller's access to the task and builds the answer. Returns null if there is no such task or the caller
   * may not see it.
   */
  make(): Promise<ReadyJson | null>
}

/**
 * Answers as soon as the entity tag of the task's answer differs from the tag that the client sent. If the tag is still
 * the same when the waiting time is over, answers 304. The caller's access is checked again for each answer.
 */
export async function waitForTask(
  deps: Deps,
  context: Context,
  { after, seconds, findId, make }: TaskWait,
): Promise<ReadyJson | null> {
  // While a request waits, it holds no database connection. One check of the rows serves all waiting requests for a
  // task.
  const leave = deps.longPolls.enter(context.get('clientIp')(context))
  const notifier = createNotifier()
  const unlisten = deps.rowChanges.onChange(notifier.notify)
  const endSignal = AbortSignal.any([deps.longPolls.stopping, context.req.raw.signal])
  const startedAt = performance.now()
  const remainingMs = () => startedAt + seconds * 1_000 - performance.now()
  const tag = `"${after}"`
  expectOtherTag(context, tag)
  context.get('answerLimit').extend(seconds * 1_000)
  try {
    const identityEnd = await identify(context, deps).end()
    let answer = await make()
    // The last answer is built at the end of the time, because access to the task may change without a change of the
    // task.
    for (let isOver = false; (answer?.tag ?? tagOf('null')) === tag && !isOver; ) {
      await notifier.wait(Math.max(0, remainingMs()), endSignal)
      if (endSignal.aborted) break
      const { timestamp } = await deps.chain.head()
      if (identityEnd !== null && timestamp >= identityEnd) break
      context.set('stateHead', deps.indexedHead.current())
      isOver = remainingMs() <= 0
      if (!isOver && (await findTag(deps, await findId())) === tag) continue
      answer = await make()
    }
    return answer
  } finally {
    recordRequest(context, { waitedMilliseconds: performance.now() - startedAt })
    unlisten()
    leave()
  }
}

async function findTag({ detailTags }: Pick<Deps, 'detailTags'>, taskId: Hex | null): Promise<string | null> {
  return taskId === null ? null : ((await detailTags.find(taskId))?.tag ?? null)
}
