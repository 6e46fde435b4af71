import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { answerHeaderNames } from '../http/header-names.ts'
import type { IndexedHead } from '../read-model/indexed-head.queries.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The newest block before the answer was made, where that was long after the request. */
    stateHead: IndexedHead | null | undefined
  }
}

/** From this age on the newest block is named as old, seconds. */
const OLD_AFTER_SECONDS = 10n

/**
 * Names the block whose state an answer of `/api` or `/trpc` was made of, or the one before it when the next arrives
 * meanwhile: the newest one before the answer was made. Without an indexed block none is named.
 * Example: `X-Service-Block-Number: 1200`, `X-Service-Block-Timestamp: 1800000000`.
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
    // A path of its own would name the route in logs and metrics.
    if (!/^\/(?:api|trpc)\//.test(c.req.path)) return await next()
    const headBefore = indexedHead.current()
    await next()
    const head = c.get('stateHead') ?? headBefore
    if (head === null || c.res.headers.has(blockNumber)) return
    c.res.headers.set(blockNumber, String(head.blockNumber))
    c.res.headers.set(blockTimestamp, String(head.blockTimestamp))
    const age = (await currentTime()) - head.blockTimestamp
    if (age > OLD_AFTER_SECONDS) c.res.headers.set(headAge, String(age))
  }
}
