import { chooseCalls } from '../../chain/indexer/choose-calls.ts'
import { type MarketChain, openMarketChain } from '../../chain/indexer/market-chain.ts'
import { readMarketLogs } from '../../chain/indexer/market-logs.ts'
import { createRandom } from '../../chain/indexer/random.ts'
import { placeHooks } from '../../chain/indexer/scripted-hooks.ts'
import { readTaskStates } from '../../chain/indexer/task-states.ts'

/** How many of the newest tasks are acted on: reading the states of all of them would take ever longer. */
const ACTED_ON = 60

export interface History {
  chain: MarketChain
  blocks: number
  events: number
  tasks: number
}

/** A chain on which `blocks` blocks of random calls of every mode were made directly; some of them revert. */
export async function makeHistory(blocks: number, seed: number): Promise<History> {
  const chain = await openMarketChain()
  try {
    await placeHooks(chain)
    const random = createRandom(seed)
    for (let mined = 0; mined < blocks; mined += 1) {
      const [logs, block] = await Promise.all([readMarketLogs(chain), chain.client.getBlock()])
      const ids = logs.tasks.slice(-ACTED_ON).map(({ id }) => id)
      const environment = { chain, random, logs, tasks: await readTaskStates(chain, ids), now: Number(block.timestamp) }
      for (let calls = 10 + random.below(30); calls > 0; calls -= 1) {
        for (const call of await chooseCalls(environment)) await chain.send(call)
      }
      await chain.mine(1 + random.below(600))
    }
    const { market, tasks, others } = await readMarketLogs(chain)
    // Ponder's backfill ends thirty blocks before the head: with as many empty ones, it is all of the history.
    for (let empty = 0; empty < 35; empty += 1) await chain.mine()
    return { chain, blocks, events: market.length + others.length, tasks: tasks.length }
  } catch (error) {
    await chain.close()
    throw error
  }
}
