import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import type { CommitFault, InjectedCommitFault } from '../inject/postgres-proxy.ts'
import type { RpcCall } from '../inject/rpc-call.ts'
import {
  describe,
  expectAll,
  firstOf,
  performAll,
  performThrough,
  prepareMixed,
  type Scope,
  scopes,
  topologies,
  untilAnswered,
  untilStatus,
} from '../inject/steps.ts'

const bindStatement = /status = 'recorded',\s+expires_at = null/
const signStatement = /insert into attempts/i
const applicationName = 'task-market-api'

/** Commits without an answer, at the two points where a write becomes irrevocable. */
const commits: { name: string; fault: CommitFault; isOutage?: true; short?: string }[] = [
  {
    name: 'the answer of the bind’s COMMIT is lost',
    fault: { lose: 'answer', having: bindStatement },
    short: 'create',
  },
  { name: 'the bind’s COMMIT never arrives', fault: { lose: 'request', having: bindStatement }, isOutage: true },
  {
    name: 'the answer of the signing’s COMMIT is lost',
    fault: { lose: 'answer', having: signStatement },
    short: 'free',
  },
  { name: 'the signing’s COMMIT never arrives', fault: { lose: 'request', having: signStatement } },
]

/** A server that crashes, is read-only or has no free connection; connections that break; commits without an answer. */
export const faultCases: readonly FaultCase[] = [
  ...commits.flatMap(({ name, fault, isOutage, short }) =>
    scopes().map((scope) => ({
      name: `postgres: ${name}, ${scope.label}`,
      topology: scope.topology,
      short: short === scope.name && scope.topology === (short === 'free' ? 2 : 1),
      ...(isOutage && { isOutage }),
      run: (context: FaultCaseContext) => loseCommits(context, scope, fault),
    })),
  ),
  ...topologies.flatMap((topology): FaultCase[] => [
    {
      name: `postgres: it crashes during writes, ${describe(topology)}`,
      topology,
      isOutage: true,
      short: topology === 1,
      endsEnvironment: true,
      deadlineMs: 90_000,
      run: crash,
    },
    {
      name: `postgres: it is read-only for a while, ${describe(topology)}`,
      topology,
      isOutage: true,
      short: false,
      needsOwnEnvironment: true,
      deadlineMs: 90_000,
      run: readOnly,
    },
    {
      name: `postgres: no connection is left, ${describe(topology)}`,
      topology,
      isOutage: true,
      short: false,
      needsOwnEnvironment: true,
      deadlineMs: 90_000,
      run: exhausted,
    },
    {
      name: `postgres: the connections break during writes, ${describe(topology)}`,
      topology,
      isOutage: true,
      short: false,
      run: cutConnections,
    },
    {
      name: `postgres: the connections break while the relay simulates, ${describe(topology)}`,
      topology,
      isOutage: true,
      short: false,
      run: cutWhileSimulating,
    },
  ]),
]

async function loseCommits(context: FaultCaseContext, { name }: Scope, fault: CommitFault): Promise<void> {
  const writes = await context.prepare(name, 3)
  const faults: InjectedCommitFault[] = context.replicas.map(({ postgres }) =>
    postgres.loseCommit({ ...fault, times: 2 }),
  )
  expectAll(await performAll(context, writes), 'completed')
  const lost = faults.reduce((sum, each) => sum + each.lost.length, 0)
  if (lost === 0) throw new Error(`no transaction has ${fault.having}: the fault case injects nothing`)
  context.note(`${lost} commits lost`)
}

/** The server crashes with writes at every stage, and recovers from its log. */
async function crash(context: FaultCaseContext): Promise<void> {
  const { postgres } = context.environment
  const writes = await prepareMixed(context, 1)
  const outcomes = await performThrough(context, writes, {
    inject: () => {},
    untilBroken: async () => {
      await untilStatus(context, writes, ['recorded', 'broadcast', 'completed'])
      await postgres.crash()
      await untilAnswered(context, writes, (status) => status >= 500)
    },
    repair: () => postgres.restart(),
  })
  expectAll(outcomes, 'completed')
}

async function readOnly(context: FaultCaseContext): Promise<void> {
  const { postgres } = context.environment
  const writes = await prepareMixed(context, 2)
  const outcomes = await performThrough(context, writes, {
    inject: () => postgres.setReadOnly(true),
    untilBroken: () => untilAnswered(context, writes, (status) => status >= 500),
    repair: () => postgres.setReadOnly(false),
  })
  expectAll(outcomes, 'completed')
}

async function exhausted(context: FaultCaseContext): Promise<void> {
  const writes = await prepareMixed(context, 2)
  let release = async () => {}
  const outcomes = await performThrough(context, writes, {
    inject: async () => {
      const taken = await context.environment.postgres.exhaustConnections(applicationName)
      release = taken.release
      context.note(`${taken.slots} connections taken`)
    },
    untilBroken: () => untilAnswered(context, writes, (status) => status >= 500),
    repair: () => release(),
  })
  expectAll(outcomes, 'completed')
}

/** One process loses its database; a second one keeps it. */
async function cutConnections(context: FaultCaseContext): Promise<void> {
  const { postgres, rpc } = firstOf(context)
  const writes = await prepareMixed(context, 3)
  const outcomes = await performThrough(context, writes, {
    inject: () => {},
    untilBroken: async () => {
      await untilStatus(context, writes, ['recorded', 'broadcast', 'completed'])
      postgres.cut()
      await untilAnswered(context, writes, (status) => status >= 500)
    },
    repair: () => {
      postgres.clear()
      rpc.clear()
    },
  })
  expectAll(outcomes, 'completed')
}

/** The relay has a transaction open while it asks the node: its connection breaks, then the node answers. */
async function cutWhileSimulating(context: FaultCaseContext): Promise<void> {
  const asked = firstOf(context)
  context.prefer(asked)
  const writes = await context.prepare('create', 1)
  const relaying = Promise.race(context.replicas.map((replica) => holdRelay(replica, replica === asked)))
  let broken: Replica | null = null
  let hasEnded = false
  const outcomes = await performThrough(context, writes, {
    inject: () => {},
    untilBroken: async () => {
      const replica = await relaying
      const { rpc, postgres } = replica
      broken = replica
      postgres.cut()
      const held = replica === asked ? 2 : 1
      const isAnswered = () =>
        rpc.passages().filter((passage) => passage.fault === 'delay' && passage.wasAnswered).length >= held
      await context.until('the node to answer', isAnswered)
      // The relay continues with the node's answer and finds its transaction lost.
      const before = rpc.passages().length
      const continues = () => broken?.state !== 'up' || rpc.passages().length > before + 5
      await context.until('the service to continue', continues)
      hasEnded = broken?.state !== 'up'
    },
    repair: async () => {
      broken?.postgres.clear()
      if (hasEnded) await broken?.start()
    },
  })
  context.prefer(null)
  if (hasEnded) throw new Error('the API process ended because a connection did')
  expectAll(outcomes, 'completed')
}

/** Older than the simulations that the relay signs by (2 s), milliseconds. */
const STALE_SIMULATION_MS = 2_500

/**
 * Resolves with the process whose relay simulates the call. Where the request was sent, the pipeline simulates first, and
 * its answer comes too late for the relay to sign by it.
 */
async function holdRelay(replica: Replica, isAsked: boolean): Promise<Replica> {
  const hold = async (milliseconds: number) => {
    const fault = { kind: 'delay', milliseconds } as const
    await replica.rpc.inject({ methods: ['eth_call'], when: isSimulation, times: 1, fault }).firstHit
  }
  if (isAsked) await hold(STALE_SIMULATION_MS)
  await hold(400)
  return replica
}

/** A simulation calls its own sender, whose overridden code measures it. */
function isSimulation({ params: [transaction] }: RpcCall): boolean {
  const { from, to } = (transaction ?? {}) as { from?: unknown; to?: unknown }
  return from !== undefined && from === to
}
