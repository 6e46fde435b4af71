import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { describe, expectAll, performThrough, prepareMixed, topologies, untilStatus } from '../inject/steps.ts'

/** One class for each way in which a write is relayed; two processes meet all classes. */
const soloClasses = ['create', 'bound', 'free', 'withdraw'] as const

/** The indexer ends during writes: its supervisor starts it again, and the tables equal a rebuild. */
export const faultCases: readonly FaultCase[] = topologies.map((topology) => ({
  name: `indexer: killed while writes run, ${describe(topology)}`,
  topology,
  // While rows are written again, requests are answered 503.
  isOutage: true,
  short: topology === 1,
  // After three ends in ten minutes the supervisor gives up, so only the first case has others after it in its environment.
  endsEnvironment: topology === 2,
  deadlineMs: 120_000,
  run: (context: FaultCaseContext) => kill(context, topology === 1 ? soloClasses : undefined),
}))

async function kill(context: FaultCaseContext, classes?: readonly string[]): Promise<void> {
  const { indexer } = context.environment
  const writes = await prepareMixed(context, 1, classes)
  const outcomes = await performThrough(context, writes, {
    inject: () => {},
    untilBroken: async () => {
      await untilStatus(context, writes, ['recorded', 'broadcast', 'completed'])
      const { pid } = indexer
      process.kill(pid, 'SIGKILL')
      await context.until('the indexer to be started again', () => indexer.pid !== pid, 30_000)
    },
    repair: () => {},
  })
  expectAll(outcomes, 'completed')
}
