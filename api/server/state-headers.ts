import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { answerHeaderNames } from '../http/header-names.ts'
import type { IndexedHead } from '../read-model/indexed-head.queries.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * The newest indexed block at the time when the building of the answer began. Set in two cases: the building began
     * before the app received the request, or the request was a long poll.
     */
    stateHead: IndexedHead | null | undefined
  }
}

/** The age in seconds above which the newest indexed block is reported as old. */
const OLD_AFTER_SECONDS = 10n

/**
 * Creates the middleware that adds the newest indexed block to the headers of API answers. The block is read before the
 * answer is built. Until a block is indexed, the headers are absent. Example: `X-Service-Block-Number: 1200`,
 * `X-Service-Block-Timestamp: 1800000000`.
 */
export function setStateHeaders({
  config,
  deployment,
  chain,
  indexedHead,
}: Pick<Deps, 'config' | 'deployment' | 'chain' | 'indexedHead'>): MiddlewareHandler {
  const { blockNumber, blockTimestamp, headAge } = answerHeaderNames(config.SERVICE_NAME)
  const currentTime = async () =>
    deployment.local
      ? await chain.clocks().then(
          ({ current }) => current,
          () => 0n,
        )
      : BigInt(Math.floor(Date.now() / 1000))
  return async (c, next) => {
    // Mounting the middleware at a path would replace the route's name in logs and metrics.
    if (!/^\/(?:api|trpc)\//.test(c.req.path)) return await next()
    const headBefore = indexedHead.current()
    await next()
    const head = c.get('stateHead') ?? headBefore
    if (head === null || c.res.headers.has(blockNumber)) return
    c.res.headers.set(blockNumber, String(head.blockNumber))
    c.res.headers.set(blockTimestamp, String(head.blockTimestamp))
    const age = ageOf(head, await currentTime())
    if (isOld(age)) c.res.headers.set(headAge, String(age))
  }
}

/** Returns the age of a block in seconds. */
export function ageOf({ blockTimestamp }: Pick<IndexedHead, 'blockTimestamp'>, now: bigint): bigint {
  return now - blockTimestamp
}

/**
 * Returns true if a block of this age, in seconds, is so old that an answer must report the age. Example: `isOld(11n)`
 * returns true.
 */
export function isOld(age: bigint): boolean {
  return age > OLD_AFTER_SECONDS
}
