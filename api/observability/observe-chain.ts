import type { Chain, ChainClocks, ChainHead } from '../chain/chain.ts'
import type { Metrics } from './metrics.ts'

/** Heights whose block is remembered: deeper reorgs are told by the intents they reopen. */
const REMEMBERED = 256

/** The same port with a clock on every question, and an eye on heads that do not follow the ones before. */
export function observeChain(chain: Chain, metrics: Pick<Metrics, 'chainAsked' | 'reorgSeen'>): Chain {
  const isReorg = createReorgEye()
  return new Proxy(chain, {
    get: (target, method: keyof Chain) => {
      const ask: unknown = Reflect.get(target, method)
      // What is known is no question.
      if (typeof ask !== 'function' || method === 'knownHead') return ask
      return async (...args: unknown[]): Promise<unknown> => {
        const start = performance.now()
        const took = () => (performance.now() - start) / 1000
        try {
          const answer: unknown = await Reflect.apply(ask, target, args)
          metrics.chainAsked({ method, outcome: 'ok', seconds: took() })
          const head = headIn(method, answer)
          if (head !== null && isReorg(head)) metrics.reorgSeen()
          return answer
        } catch (error) {
          metrics.chainAsked({ method, outcome: 'failed', seconds: took() })
          throw error
        }
      }
    },
  })
}

/** The head in an answer about the newest block; null: the answer is about something else. */
function headIn(method: keyof Chain, answer: unknown): ChainHead | null {
  if (method === 'latestHead' || method === 'confirmedHead') return answer as ChainHead
  return method === 'latestClocks' ? (answer as ChainClocks).head : null
}

/** Says of each head in turn whether a block seen before is gone. A node that is behind repeats blocks, and is none. */
export function createReorgEye(): (head: Pick<ChainHead, 'number' | 'hash' | 'parentHash'>) => boolean {
  const hashes = new Map<bigint, string>()
  return ({ number, hash, parentHash }) => {
    const isOther = (height: bigint, block: string) => (hashes.get(height) ?? block) !== block
    const isReorg = isOther(number, hash) || isOther(number - 1n, parentHash)
    // What stood above the block that was replaced is gone with it.
    if (isReorg) for (const height of hashes.keys()) if (height > number) hashes.delete(height)
    hashes.set(number - 1n, parentHash)
    hashes.set(number, hash)
    hashes.delete(number - BigInt(REMEMBERED))
    hashes.delete(number - BigInt(REMEMBERED) - 1n)
    return isReorg
  }
}
