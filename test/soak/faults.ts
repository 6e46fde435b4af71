import { setTimeout as pause } from 'node:timers/promises'
import { raiseReplicas } from '../faults/environment/raise-replicas.ts'
import { sometimesFailing } from '../faults/inject/node-faults.ts'
import type { RpcRule } from '../faults/inject/rpc-faults.ts'
import { staleHead } from '../faults/inject/stale-head.ts'
import { pollUntil } from '../faults/poll-until.ts'
import type { Random } from '../faults/random.ts'
import { accept, refuseBy } from '../support/webhooks/receiver.ts'
import type { Stage } from './stage.ts'

/** A fault that a stack gets over by itself, or with what its process manager does. */
export interface SoakFault {
  name: string
  /** It ends the indexer, whose supervisor gives up after three ends in ten minutes. */
  endsIndexer?: true
  /** Breaks something, and repairs it. */
  strike(stage: Stage, random: Random): Promise<void>
}

/** How long a part fails, milliseconds. */
const OUTAGE_MS = 20_000
/** How long everything may take to be well again before the run ends, milliseconds; rules.ts says how long it should. */
const RECOVERY_MS = 900_000
/** The rows of a chain with new blocks are a few behind, blocks. */
const MOST_BEHIND = 20n

const soakFaults: readonly SoakFault[] = [
  {
    name: 'an API process is killed',
    strike: async ({ environment, soakCase }) => {
      await environment.replicas[0].kill()
      await pause(OUTAGE_MS / 4)
      await raiseReplicas(environment, soakCase)
    },
  },
  {
    name: 'an API process is replaced',
    strike: async ({ environment, soakCase }) => {
      await environment.replicas[0].stop()
      await raiseReplicas(environment, soakCase)
    },
  },
  {
    name: 'an API process is paused',
    strike: async ({ environment }, random) => {
      const replica = random.pick(environment.replicas as unknown as readonly [(typeof environment.replicas)[0]])
      await replica.pause()
      await pause(OUTAGE_MS)
      replica.resume()
    },
  },
  { name: 'the indexer is killed', endsIndexer: true, strike: async ({ environment }) => killIndexer(environment) },
  {
    name: 'Postgres crashes',
    endsIndexer: true,
    strike: async ({ environment }) => {
      const { pid } = environment.indexer
      await environment.postgres.crash()
      await pause(OUTAGE_MS / 4)
      await environment.postgres.restart()
      await untilStartedAgain(environment, pid)
    },
  },
  {
    name: 'the connections to Postgres are reset',
    strike: async ({ environment }) => {
      for (const { postgres } of environment.replicas) postgres.cut()
      await pause(OUTAGE_MS / 4)
      for (const { postgres } of environment.replicas) postgres.clear()
    },
  },
  { name: 'the node is down', strike: nodeFault(() => [{ fault: { kind: 'drop-request' } }]) },
  { name: 'the node does not answer', strike: nodeFault(() => [{ fault: { kind: 'hang', reachesNode: true } }]) },
  { name: 'the node is slow', strike: nodeFault(() => [{ fault: { kind: 'delay', milliseconds: 700 } }]) },
  { name: 'the node answers some calls with errors', strike: nodeFault((random) => sometimesFailing(random, 0.15)) },
  { name: 'the node lags', strike: nodeFault(() => [staleHead({ blocksBehind: 5n })]) },
  { name: 'GraphQL is killed', strike: (stage) => stage.restartGraphql() },
  {
    name: 'receivers of webhooks fail',
    strike: async ({ receiver }) => {
      receiver.answerBy(refuseBy(503))
      await pause(OUTAGE_MS)
      receiver.answerBy(accept)
    },
  },
]

/** All faults again and again, each round in another order, with others between those that end the indexer. */
export function* dealFaults(random: Random): Generator<SoakFault, never> {
  for (;;) {
    const shuffled = shuffle(soakFaults, random)
    const ending = shuffled.filter(({ endsIndexer }) => endsIndexer)
    const others = shuffled.filter(({ endsIndexer }) => !endsIndexer)
    const part = Math.ceil(others.length / ending.length)
    while (others.length > 0 || ending.length > 0) {
      const first = ending.shift()
      if (first !== undefined) yield first
      yield* others.splice(0, part)
    }
  }
}

function shuffle<Value>(values: readonly Value[], random: Random): Value[] {
  return values
    .map((value) => ({ value, place: random.integer(0, 2 ** 30) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

/**
 * Resolves when every part answers and the rows are at the head of the chain.
 * @throws when they are not in time, with what is missing
 */
export async function untilWell(stage: Stage): Promise<void> {
  let missing: string | null = null
  const isWell = async () => {
    missing = await findMissing(stage).catch((error) => String(error))
    return missing === null
  }
  await pollUntil('the stack to be well', isWell, RECOVERY_MS).catch((error) => {
    throw new Error(`${error.message}: ${missing}`)
  })
}

async function findMissing({ environment, graphqlUrl }: Stage): Promise<string | null> {
  const { replicas, sql, client } = environment
  const urls = [...replicas.map(({ url }) => `${url}/api/tasks?limit=1`), graphqlUrl.replace('/graphql', '/health')]
  for (const url of urls) {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
    const text = await response.text()
    if (!response.ok) return `${url} answers ${response.status} ${text.slice(0, 200)}`
  }
  const [head] = await sql<{ number: string }[]>`select block_number as number from market.indexed_head`
  const [indexed, latest] = [BigInt(head?.number ?? 0), await client.getBlockNumber()]
  return indexed + MOST_BEHIND < latest ? `the rows are at block ${indexed}, the chain at ${latest}` : null
}

async function killIndexer(environment: Stage['environment']): Promise<void> {
  const { pid } = environment.indexer
  process.kill(pid, 'SIGKILL')
  await untilStartedAgain(environment, pid)
}

/** Its rows were written for a session that ended, so the supervisor replaces this process of the indexer. */
async function untilStartedAgain({ indexer }: Stage['environment'], pid: number): Promise<void> {
  await pollUntil('the indexer to be started again', () => indexer.pid !== pid, RECOVERY_MS)
}

/** A fault of the node as both API processes see it. */
function nodeFault(rulesOf: (random: Random) => readonly RpcRule[]): SoakFault['strike'] {
  return async ({ environment }, random) => {
    for (const { rpc } of environment.replicas) for (const rule of rulesOf(random)) rpc.inject(rule)
    await pause(OUTAGE_MS)
    for (const { rpc } of environment.replicas) rpc.clear()
  }
}
