import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { practiseUnderLoad } from '../inject/outage.ts'
import { startReadLoad } from '../inject/read-load.ts'

/** The chain is indexed again beside the rows that are served, and the views move to the new ones: no read is refused. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'the rows are indexed again, beside those that are served',
    topology: 1,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 600_000,
    run: indexAgain,
  },
]

async function indexAgain(context: FaultCaseContext): Promise<void> {
  const { environment } = context
  const { schema } = environment.indexer
  const reads = startReadLoad(context)
  await practiseUnderLoad(context, {
    classes: ['create', 'fee-paid', 'free'],
    practise: () => environment.indexAgain(),
  })
  await reads.stop()
  if (environment.indexer.schema === schema) throw new Error(`the rows are still those of ${schema}`)
}
