import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import type { CommitFault } from '../inject/postgres-proxy.ts'
import {
  describe,
  expectAll,
  performAll,
  performThrough,
  prepareMixed,
  type Scope,
  scopes,
  topologies,
  untilAnswered,
  untilStatus,
} from '../inject/steps.ts'

const signStatement = /insert into attempts/i
const applicationName = 'task-market-api'

/** The commit of the signing without an answer; that of the bind: test/api/writes/bind.test.ts. */
const commits: { name: string; lose: CommitFault['lose'] }[] = [
  { name: 'the answer of the signing’s COMMIT is lost', lose: 'answer' },
  { name: 'the signing’s COMMIT never arrives', lose: 'request' },
]

/** A server that crashes, is read-only or has no free connection; commits without an answer. */
export const faultCases: readonly FaultCase[] = [
  ...commits.flatMap(({ name, lose }) =>
    scopes().map((scope) => ({
      name: `postgres: ${name}, ${scope.label}`,
      topology: scope.topology,
      short: lose === 'answer' && scope.name === 'free' && scope.topology === 2,
      run: (context: FaultCaseContext) => loseCommits(context, scope, lose),
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
  ]),
]

async function loseCommits(context: FaultCaseContext, { name }: Scope, lose: CommitFault['lose']): Promise<void> {
  const writes = await context.prepare(name, 3)
  const faults = context.replicas.map(({ postgres }) => postgres.loseCommit({ lose, having: signStatement, times: 2 }))
  expectAll(await performAll(context, writes), 'completed')
  const lost = faults.reduce((sum, each) => sum + each.lost, 0)
  if (lost === 0) throw new Error(`no transaction has ${signStatement}: the fault case injects nothing`)
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
