import { parseEventLogs } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { isTerminal } from '../../../protocol/rules/task-status.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { callOf } from '../indexer/choose-calls.ts'
import { direct, type Environment, market } from '../indexer/market-calls.ts'
import type { Call, MarketChain } from '../indexer/market-chain.ts'
import { foldMarketLogs, type MarketLog } from '../indexer/market-logs.ts'
import type { Random } from '../indexer/random.ts'
import { readTaskStates, type TaskState } from '../indexer/task-states.ts'
import { boundariesOf } from './boundaries.ts'
import { createTask } from './new-task.ts'
import { approach } from './target-states.ts'
import type { StateOfTask } from './task-states.ts'

/** Number of newest tasks that get calls. */
const ACTIVE_TASKS = 120
/** New tasks and random calls in each block. */
const CREATED_A_BLOCK = 4
const RANDOM_A_BLOCK = 8
/** Probability that a task gets a call towards its target state. */
const APPROACH = 0.6

const owner = devAccount('owner').account.address

/**
 * Creates tasks of every mode and calls them, one block after another: each task has a target state, and gets calls
 * towards it and random calls. Invalid calls revert. Time is moved in small steps and to the bounds of windows. Yields
 * the environment after each block. `wanted` returns the target state of the next task.
 */
export async function* walk(
  chain: MarketChain,
  { random, wanted }: { random: Random; wanted: () => StateOfTask },
): AsyncGenerator<Environment, never> {
  const logs: MarketLog[] = []
  const targets: StateOfTask[] = []
  let blockNumber = await chain.client.getBlockNumber()
  for (;;) {
    const environment = await readEnvironment(chain, random, logs)
    if (logs.length > 0) yield environment
    for (let made = 0; made < CREATED_A_BLOCK; made += 1) {
      const state = wanted()
      await chain.send(createTask(chain, random, { state, number: targets.push(state) }))
    }
    for (const call of await chooseCalls(environment, targets)) await chain.send(call)
    blockNumber = await chain.mine(chooseStep(environment))
    logs.push(...(await readLogs(chain, blockNumber)))
  }
}

async function readEnvironment(chain: MarketChain, random: Random, logs: MarketLog[]): Promise<Environment> {
  const folded = foldMarketLogs(logs)
  const ids = folded.tasks.slice(-ACTIVE_TASKS).map(({ id }) => id)
  const [tasks, block] = await Promise.all([readTaskStates(chain, ids), chain.client.getBlock()])
  const others = { intents: [], refunds: [], agentIds: [], others: [] }
  return { chain, random, logs: { ...folded, ...others }, tasks, now: Number(block.timestamp) }
}

async function readLogs({ client, deployment }: MarketChain, blockNumber: bigint): Promise<MarketLog[]> {
  const logs = await client.getLogs({ address: deployment.market, fromBlock: blockNumber, toBlock: blockNumber })
  return parseEventLogs({ abi: taskMarketAbi, logs })
}

async function chooseCalls(environment: Environment, targets: readonly StateOfTask[]): Promise<Call[]> {
  const { chain, random, tasks } = environment
  const calls: Call[] = []
  const live = tasks.filter(({ status }) => !isTerminal(status))
  for (const task of live) {
    const target = targets[numberOf(environment, task) - 1]
    if (target !== undefined && random.chance(APPROACH))
      calls.push(...(await approach(target.status)(environment, task)))
  }
  for (let chosen = 0; chosen < RANDOM_A_BLOCK && tasks.length > 0; chosen += 1) {
    calls.push(...(await callOf(environment, random.pick(live.length === 0 || random.chance(0.2) ? tasks : live))))
  }
  const paused = await chain.client.readContract({
    address: chain.deployment.market,
    abi: taskMarketAbi,
    functionName: 'paused',
  })
  if (random.chance(paused ? 0.5 : 0.06)) calls.push(direct(chain, owner, market(paused ? 'unpause' : 'pause', [])))
  if (random.chance(0.05)) calls.push(direct(chain, owner, market('setFeeBps', [random.pick([0, 750, 750, 2000])])))
  return calls
}

/** The number of a task, from 1: the content of its creation. */
function numberOf({ logs }: Environment, { id }: TaskState): number {
  const created = logs.market.find((log) => log.eventName === 'TaskCreated' && log.args.taskId === id)
  if (created?.eventName !== 'TaskCreated') throw new Error(`no log of ${id}`)
  return Number(created.args.terms.contentHash)
}

/** Seconds to the next block. */
function chooseStep({ random, tasks, now }: Environment): number {
  const ahead = tasks
    .flatMap((task) => boundariesOf(task))
    .map((boundary) => boundary - now + random.pick([-1, 0, 1]))
    .filter((step) => step > 0 && step < 600)
  if (ahead.length > 0 && random.chance(0.2)) return random.pick(ahead)
  if (random.chance(0.004)) return 91 * 86_400
  return 1 + random.below(random.chance(0.1) ? 900 : 100)
}
