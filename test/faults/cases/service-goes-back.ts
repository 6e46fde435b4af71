import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { loseWrites } from '../inject/lost-writes.ts'

/**
 * The database is restored from a copy that is older than writes which were answered: their intents, keys and texts are gone,
 * and so are the nonces of their relayer. No write acts twice, none is charged twice, and the next ones complete.
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'database goes back: before writes that were answered',
    topology: 1,
    isOutage: true,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 300_000,
    run: loseAnswered,
  },
]

async function loseAnswered(context: FaultCaseContext): Promise<void> {
  const { postgres } = context.environment
  await loseWrites(context, async () => {
    const copy = await postgres.copyData()
    return () => postgres.replaceData(copy)
  })
}
