import { setTimeout as delay } from 'node:timers/promises'
import type { Anvil } from './anvil.ts'

/** Time between two blocks, milliseconds. */
const BLOCK_MS = 100

/**
 * Runs `work`. Meanwhile the node collects the transactions of a tenth of a second into one block. This is faster than
 * one block for each transaction, because the indexer and the service spend more time on a block than on its
 * transactions. Example: the creation of the demo tasks of `npm start`.
 * @param anvil a node that mines each transaction at once before and after `work`
 */
export async function mineTogether<T>({ request }: Pick<Anvil, 'request'>, work: () => Promise<T>): Promise<T> {
  let isOver = false
  const mineUntilOver = async (): Promise<void> => {
    while (!isOver) {
      await delay(BLOCK_MS)
      if (await hasPending(request)) await request('evm_mine')
    }
  }
  await request('evm_setAutomine', [false])
  const miningLoop = mineUntilOver()
  try {
    // Without blocks the work would wait for ever.
    return await Promise.race([work(), miningLoop.then(() => Promise.reject(new Error('the node is mined no more')))])
  } finally {
    isOver = true
    await miningLoop.catch(() => {})
    await request('evm_setAutomine', [true])
    await request('evm_mine')
  }
}

async function hasPending(request: Anvil['request']): Promise<boolean> {
  const status = (await request('txpool_status')) as { pending?: string } | null
  return BigInt(status?.pending ?? 0) > 0n
}
