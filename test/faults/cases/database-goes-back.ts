import { startStandbyServer } from '../../../scripts/postgres/standby-server.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { openRequester } from '../inject/direct-requester.ts'

/** A way in which a database loses what it had committed. */
interface StepBack {
  name: string
  /**
   * Takes the database back.
   * @param arrive makes tasks on the chain, without the service, and resolves when their rows are committed
   */
  goBack(context: FaultCaseContext, arrive: () => Promise<void>): Promise<void>
  /** Starts what it ended. */
  goOn?(context: FaultCaseContext): Promise<void>
}

/** Tasks of each arrival; each is in a block of its own. */
const TASKS = 6
/** From the step back to rows that equal the chain's, milliseconds. */
const LONGEST_MS = 60_000

const stepsBack: readonly StepBack[] = [
  {
    name: 'a session is killed while blocks arrive',
    goBack: async ({ environment: { postgres } }, arrive) => {
      await postgres.keepLogInMemory()
      await arrive()
      await postgres.killSession()
    },
  },
  {
    name: 'an older copy takes the place of its data',
    goBack: async ({ environment: { postgres } }, arrive) => {
      const copy = await postgres.copyData()
      await arrive()
      await postgres.replaceData(copy)
    },
  },
  {
    name: 'a standby that lags takes its place',
    goBack: async ({ environment: { postgres } }, arrive) => {
      const standby = await startStandbyServer(postgres.url)
      try {
        await standby.replayed()
        await standby.configure({ primary_conninfo: null })
        await arrive()
        await standby.promote()
        await postgres.replaceData(await postgres.copyData(standby.url))
      } finally {
        await standby.stop()
      }
    },
  },
  {
    name: 'it is restored while the indexer is down',
    goBack: async ({ environment }, arrive) => {
      const { postgres } = environment
      const copy = await postgres.copyData()
      await arrive()
      await environment.indexer.stop()
      await postgres.replaceData(copy)
    },
    goOn: ({ environment }) => environment.restartIndexer(),
  },
]

/** The database loses its last blocks; soon every row equals the chain's again. */
export const faultCases: readonly FaultCase[] = stepsBack.map((stepBack) => ({
  name: `database goes back: ${stepBack.name}`,
  topology: 1,
  isOutage: true,
  short: false,
  // They take back more than rows of the indexer.
  needsOwnEnvironment: true,
  run: (context) => loseBlocks(context, stepBack),
}))

async function loseBlocks(context: FaultCaseContext, { goBack, goOn }: StepBack): Promise<void> {
  const { environment } = context
  const requester = await openRequester(context)
  await goBack(context, async () => {
    await requester.create(TASKS)
    await context.until('the tasks to be indexed', requester.isIndexed)
  })
  const backAt = performance.now()
  const heads = await environment.sql<{ latest: string }[]>`
    SELECT latest_checkpoint AS latest FROM ${environment.sql(environment.indexer.schema)}._ponder_checkpoint`
  const lost = (await environment.client.getBlockNumber()) - BigInt(heads[0]?.latest.slice(26, 42) ?? 0)
  if (lost <= 0n) throw new Error('the database lost no block: the fault case injects nothing')
  context.note(`${lost} blocks lost`)
  await goOn?.(context)
  await requester.create(TASKS)
  await context.until('every task to be indexed again', requester.isIndexed, LONGEST_MS)
  context.noteRecovery(performance.now() - backAt)
}
