import postgres from 'postgres'
import { withConnection } from '../../../scripts/postgres/postgres-databases.ts'
import { atServer, type StandbyServer, startStandbyServer } from '../../../scripts/postgres/standby-server.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { performAndRead, startReadLoad } from '../inject/read-load.ts'
import { type ReadMetrics, readMetrics } from '../inject/read-metrics.ts'
import { describe, expectAll, topologies } from '../inject/steps.ts'

/** A fault of the replica that every process reads lists and details from. */
interface ReplicaFault {
  name: string
  /** @returns what repairs it */
  inject(standby: StandbyServer, context: FaultCaseContext): Promise<() => Promise<void>>
  /** Whether a process's metrics show the fault: what they were before it, and are now. */
  isShown(before: ReadMetrics, now: ReadMetrics): boolean
}

/** Classes of writes that change what lists and details show. */
const classes = ['create', 'fee-paid', 'free', 'stake'] as const
/** Reads that a replica answers again, before it counts as used. */
const USED = 10

const isGone = (before: ReadMetrics, now: ReadMetrics) =>
  !now.isUsable && now.lagBlocks === null && grows(before, now, 'failed', 'noneUsable')

const faults: readonly ReplicaFault[] = [
  {
    name: 'it is dead',
    inject: async (standby) => {
      await standby.crash()
      return standby.restart
    },
    isShown: isGone,
  },
  {
    name: 'it lags',
    inject: async (standby) => {
      await standby.configure({ recovery_min_apply_delay: '2s' })
      return () => standby.configure({ recovery_min_apply_delay: null })
    },
    isShown: (before, now) => (now.lagBlocks ?? 0) > 0 && grows(before, now, 'behind', 'noneUsable'),
  },
  {
    name: 'a switch of a view waits behind a long read',
    inject: holdReplay,
    isShown: (before, now) => grows(before, now, 'failed', 'behind', 'noneUsable'),
  },
  {
    name: 'a switch of a view cancels its reads',
    inject: cancelReads,
    isShown: (before, now) => grows(before, now, 'failed'),
  },
  {
    name: 'it is promoted',
    inject: async (standby) => {
      await standby.promote()
      return standby.replace
    },
    isShown: isGone,
  },
]

/** Lists and details stay as new as every answer before, and without errors, whatever the replica does. */
export const faultCases: readonly FaultCase[] = topologies.flatMap((topology) =>
  faults.map(
    (fault): FaultCase => ({
      name: `replica: ${fault.name}, ${describe(topology)}`,
      topology,
      short: false,
      run: (context) => readThrough(context, fault),
    }),
  ),
)

async function readThrough(context: FaultCaseContext, fault: ReplicaFault): Promise<void> {
  const { environment, replicas } = context
  const writes: PreparedWrite[][] = [[], [], []]
  for (const phase of writes) for (const name of classes) phase.push(...(await context.prepare(name)))
  const [before = [], meanwhile = [], after = []] = writes
  const standby = await startStandbyServer(environment.postgres.url, { settings: { max_standby_streaming_delay: '0' } })
  try {
    const READ_DATABASE_URLS = atServer(environment.serviceUrl, standby.url)
    for (const replica of replicas) {
      await replica.stop()
      await replica.start({ READ_DATABASE_URLS })
    }
    const load = startReadLoad(context)
    try {
      await untilUsed(context)
      expectAll(await performAndRead(context, before), 'completed')
      const known = await allMetrics(context)
      const repair = await fault.inject(standby, context)
      const shown = untilShown(context, fault, known)
      const [outcomes] = await Promise.all([performAndRead(context, meanwhile), shown])
      expectAll(outcomes, 'completed')
      await repair()
      const repairedAt = performance.now()
      await untilUsed(context)
      context.noteRecovery(performance.now() - repairedAt)
      expectAll(await performAndRead(context, after), 'completed')
      await noteShares(context)
    } finally {
      await load.stop()
    }
  } finally {
    // The next case starts them without a replica.
    for (const replica of replicas) await replica.stop()
    await standby.stop()
  }
}

function allMetrics({ replicas }: FaultCaseContext): Promise<ReadMetrics[]> {
  return Promise.all(replicas.map(readMetrics))
}

/** Resolves when a replica answers reads of every process from now on. */
async function untilUsed(context: FaultCaseContext): Promise<void> {
  for (const replica of context.replicas) {
    const { byReplica } = await readMetrics(replica)
    const isUsed = async () => {
      const now = await readMetrics(replica)
      return now.isUsable && now.byReplica >= byReplica + USED
    }
    await context.until(`process ${replica.index} to read from the replica`, isUsed, 30_000)
  }
}

async function untilShown(context: FaultCaseContext, { isShown }: ReplicaFault, before: ReadMetrics[]): Promise<void> {
  await Promise.all(
    context.replicas.map(async (replica, place) => {
      const known = before[place]
      if (known === undefined) throw new Error(`process ${replica.index} has no metrics`)
      const isNoticed = async () => isShown(known, await readMetrics(replica))
      await context.until(`process ${replica.index} to notice the fault`, isNoticed, 30_000)
    }),
  )
}

function grows(before: ReadMetrics, now: ReadMetrics, ...outcomes: (keyof ReadMetrics['byPrimary'])[]): boolean {
  return outcomes.some((outcome) => now.byPrimary[outcome] > before.byPrimary[outcome])
}

async function noteShares(context: FaultCaseContext): Promise<void> {
  const shares = (await allMetrics(context)).map(({ byReplica, byPrimary: { behind, failed, noneUsable } }) => {
    const all = byReplica + behind + failed + noneUsable
    return `${Math.round((100 * byReplica) / all)} % of ${all} reads`
  })
  context.note(`the replica answered ${shares.join(' and ')}`)
}

/**
 * Replay needs a lock that a read of the replica holds, and waits for it; every other read of the view waits behind the
 * replay. Then the long read is cancelled, and the replay continues.
 */
async function holdReplay(standby: StandbyServer, context: FaultCaseContext): Promise<() => Promise<void>> {
  const { sql, databaseUrl } = context.environment
  await standby.configure({ max_standby_streaming_delay: `${HELD_SECONDS}s` })
  const reader = postgres(atServer(databaseUrl, standby.url), { max: 1, onnotice: () => {} })
  const longRead = reader`SELECT pg_sleep(100) FROM market.task LIMIT 1`.then(
    () => 'it ended',
    (error: postgres.PostgresError) => error.code,
  )
  await context.until('the long read to run', () => countSleeping(standby, databaseUrl))
  await switchView(sql, await viewOfTasks(sql))
  return async () => {
    const code = await longRead
    await reader.end({ timeout: 1 })
    if (code !== CANCELLED_BY_REPLAY) throw new Error(`the replay did not cancel the long read: ${code}`)
  }
}

/** How long the replay waits, seconds; a change of that setting would not shorten a wait that has begun. */
const HELD_SECONDS = 8
/** `serialization_failure`: "canceling statement due to conflict with recovery". */
const CANCELLED_BY_REPLAY = '40001'
/** How long a read of the replica takes while it is made slow, seconds: less than the service waits for it. */
const SLOW_SECONDS = 0.2

/** Reads are made slow on the replica, and cancelled by the next switch, until one of every process was. */
async function cancelReads(standby: StandbyServer, context: FaultCaseContext): Promise<() => Promise<void>> {
  const { sql, databaseUrl } = context.environment
  const query = await viewOfTasks(sql)
  const sleep = `pg_sleep(CASE WHEN pg_is_in_recovery() THEN ${SLOW_SECONDS} ELSE 0 END)`
  const slowQuery = `SELECT * FROM (${query}) AS shown WHERE (SELECT count(*) FROM ${sleep}) = 1`
  const before = await allMetrics(context)
  const isCancelled = async () => {
    await switchView(sql, slowQuery)
    await context.until('a read to be slow', () => countSleeping(standby, databaseUrl))
    await switchView(sql, query)
    const now = await allMetrics(context)
    return now.every(({ byPrimary }, place) => byPrimary.failed > (before[place]?.byPrimary.failed ?? 0))
  }
  try {
    await context.until('a read of every process to be cancelled', isCancelled, 30_000)
  } finally {
    await switchView(sql, query)
  }
  // Counted by the session that was cancelled, some time after.
  await context.until('the cancelled reads to be counted', () => countConflicts(standby, databaseUrl))
  return async () => {}
}

async function viewOfTasks(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ query: string }[]>`SELECT pg_get_viewdef('market.task'::regclass) AS query`
  if (row === undefined) throw new Error('the database has no view of tasks')
  return row.query.replace(/;\s*$/, '')
}

/** As a deployment of the indexer does it: for a moment nothing else can use the view. */
async function switchView(sql: postgres.Sql, query: string): Promise<void> {
  await sql.unsafe(`CREATE OR REPLACE VIEW market.task AS ${query}`)
}

/** Reads that sleep on the standby now. */
async function countSleeping(standby: StandbyServer, databaseUrl: string): Promise<number | null> {
  return await countAt(standby, databaseUrl, `pg_stat_activity WHERE wait_event = 'PgSleep'`)
}

/** Reads that the replay cancelled for a lock. */
async function countConflicts(standby: StandbyServer, databaseUrl: string): Promise<number | null> {
  return await countAt(
    standby,
    databaseUrl,
    'pg_stat_database_conflicts, generate_series(1, confl_lock) WHERE datname = current_database()',
  )
}

async function countAt(standby: StandbyServer, databaseUrl: string, from: string): Promise<number | null> {
  const rows = await withConnection(atServer(databaseUrl, standby.url), (sql) =>
    sql.unsafe<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${from}`),
  )
  return rows[0]?.count || null
}
