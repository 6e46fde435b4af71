import { setTimeout as delay } from 'node:timers/promises'
import type { Anvil } from './anvil.ts'

/** Time between two blocks, milliseconds. */
const BLOCK_MS = 100

/**
 * Runs `work` while the node mines the transactions of a tenth of a second in one block, instead of each in its own: for the
 * indexer and the service a block costs more than the transactions in it. Example: the demo tasks of `npm start`.
 * @param anvil a node that mines each transaction at once, as it does again afterwards
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
