import { startStandbyServer } from '../../../scripts/postgres/standby-server.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { practiseUnderLoad } from '../inject/outage.ts'

/** The primary is lost for good, and its synchronous standby takes its place: no answered write is lost. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'the primary is lost: its standby takes over',
    topology: 2,
    isOutage: true,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 600_000,
    run: failOver,
  },
]

async function failOver(context: FaultCaseContext): Promise<void> {
  const { postgres, sql } = context.environment
  const standby = await startStandbyServer(postgres.url)
  try {
    await sql`ALTER SYSTEM SET synchronous_standby_names = '*'`
    await sql`SELECT pg_reload_conf()`
    await context.until('a synchronous standby', async () => {
      const rows = await sql`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`
      return rows.length > 0
    })
    await practiseUnderLoad(context, {
      classes: ['create', 'fee-paid', 'free'],
      practise: async () => {
        await postgres.crash()
        await standby.promote()
        // Its address becomes that of the primary.
        await standby.crash()
        await postgres.replaceData(standby.cluster)
      },
    })
  } finally {
    // A primary that is still there would have every write wait for the standby.
    await sql`ALTER SYSTEM RESET synchronous_standby_names`.catch(() => {})
    await sql`SELECT pg_reload_conf()`.catch(() => {})
    await standby.stop()
  }
}
