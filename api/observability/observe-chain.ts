import type { Chain, ChainClocks, ChainHead } from '../chain/chain.ts'
import type { Metrics } from './metrics.ts'

/** The number of remembered block heights. A deeper reorg is noticed only if it reopens intents. */
const REMEMBERED = 256

/** Wraps the chain port. The wrapper measures the duration of every request, and detects reorgs of the latest block. */
export function observeChain(chain: Chain, metrics: Pick<Metrics, 'chainAsked' | 'reorgSeen'>): Chain {
  const isReorg = createReorgEye()
  return new Proxy(chain, {
    get: (target, method: keyof Chain) => {
      const ask: unknown = Reflect.get(target, method)
      // Known values need no request.
      if (typeof ask !== 'function' || method === 'knownHead' || method === 'knownTime') return ask
      return async (...args: unknown[]): Promise<unknown> => {
        const start = performance.now()
        const secondsSince = () => (performance.now() - start) / 1000
        try {
          const answer: unknown = await Reflect.apply(ask, target, args)
          metrics.chainAsked({ method, outcome: 'ok', seconds: secondsSince() })
          const head = headIn(method, answer)
          if (head !== null && isReorg(head)) metrics.reorgSeen()
          return answer
        } catch (error) {
          metrics.chainAsked({ method, outcome: 'failed', seconds: secondsSince() })
          throw error
        }
      }
    },
  })
}

/** Returns the latest block in an answer of the chain port. Null if the method does not return the latest block. */
function headIn(method: keyof Chain, answer: unknown): ChainHead | null {
  if (method === 'latestHead' || method === 'confirmedHead') return answer as ChainHead
  return method === 'latestClocks' ? (answer as ChainClocks).head : null
}

/**
 * Creates a detector of reorgs. The detector gets each latest block. It returns true if it has seen a different block
 * at the height of the latest block or of the latest block's parent. Example: if it has seen block 7 with the hash A,
 * and gets block 8 with the parent hash B, it returns true. If the detector has already seen the latest block, it
 * returns false, even if the height is lower than before, because a node can be behind.
 */
export function createReorgEye(): (head: Pick<ChainHead, 'number' | 'hash' | 'parentHash'>) => boolean {
  const hashes = new Map<bigint, string>()
  return ({ number, hash, parentHash }) => {
    const isOther = (height: bigint, block: string) => (hashes.get(height) ?? block) !== block
    const isReorg = isOther(number, hash) || isOther(number - 1n, parentHash)
    // The blocks above the replaced one are gone with it.
    if (isReorg) for (const height of hashes.keys()) if (height > number) hashes.delete(height)
    hashes.set(number - 1n, parentHash)
    hashes.set(number, hash)
    hashes.delete(number - BigInt(REMEMBERED))
    hashes.delete(number - BigInt(REMEMBERED) - 1n)
    return isReorg
  }
}
