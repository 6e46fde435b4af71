import { chooseCalls } from './choose-calls.ts'
import type { Environment, Maker } from './market-calls.ts'
import type { MarketChain } from './market-chain.ts'
import { readMarketLogs } from './market-logs.ts'
import type { Random } from './random.ts'
import { readTaskStates } from './task-states.ts'

/**
 * Mines `blocks` blocks of up to twenty random calls; time passes, at times by weeks.
 * @param options.addCalls calls that each block begins with
 * @returns the number of the last
 */
export async function mineRandomBlocks(
  chain: MarketChain,
  { random, blocks, addCalls = () => [] }: { random: Random; blocks: number; addCalls?: Maker },
): Promise<bigint> {
  let head = 0n
  for (let mined = 0; mined < blocks; mined += 1) {
    const environment = await readEnvironment(chain, random)
    for (const call of await addCalls(environment)) await chain.send(call)
    for (let calls = 2 + random.below(18); calls > 0; calls -= 1) {
      for (const call of await chooseCalls(environment)) await chain.send(call)
    }
    head = await chain.mine(random.chance(0.03) ? random.below(100 * 86_400) : 1 + random.below(600))
  }
  return head
}

async function readEnvironment(chain: MarketChain, random: Random): Promise<Environment> {
  const [logs, block] = await Promise.all([readMarketLogs(chain), chain.client.getBlock()])
  const tasks = await readTaskStates(
    chain,
    logs.tasks.map(({ id }) => id),
  )
  return { chain, random, logs, tasks, now: Number(block.timestamp) }
}
