import { type Clocks, isHeadStale } from '../../../protocol/windows.ts'
import type { Deployment } from '../../chain/deployment.ts'
import { ServiceError } from '../../errors/service-error.ts'

const RETRY_AFTER_SECONDS = 10

/**
 * Refuses writes in stage 5 if the latest block's timestamp is far from the host's clock. The node or the chain has
 * then stopped. A local chain is exempt, because it may be idle.
 * @throws ServiceError 503 `node_unavailable`; nothing was charged
 */
export function requireLiveChain({ chainId, local }: Pick<Deployment, 'chainId' | 'local'>, clocks: Clocks): void {
  if (local || !isHeadStale(clocks)) return
  const seconds = clocks.current - clocks.head
  const head = seconds > 0n ? `${seconds} seconds old` : `${-seconds} seconds ahead of this service`
  throw new ServiceError(
    503,
    'unclassified',
    `The newest block of chain ${chainId} is ${head}: its node stands still, or a clock is wrong. Nothing was charged; try again shortly.`,
    { detail: 'node_unavailable', headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  )
}
