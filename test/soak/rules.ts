import type { Rule } from './verdict.ts'

/** Told, not judged: what the machine did for others. */
export const OTHER_WORK = 'other work of the machine, cores'

/** The rule of each measure of a run, by its name. A run fails where one is broken, or was not measured. */
export const rules: Readonly<Record<string, Rule>> = {
  'memory of an API process that is never restarted, MB': { growth: { absolute: 30, relative: 0.1 } },
  'memory of an API process that is killed at times, MB': { growth: { absolute: 40, relative: 0.15 } },
  'memory of the indexer, MB': { growth: { absolute: 50, relative: 0.15 } },
  'memory of GraphQL, MB': { growth: { absolute: 30, relative: 0.1 } },
  // Each session keeps the plans of the statements that it has met; rare ones reach the last session after an hour.
  'private memory of Postgres, MB': { growth: { absolute: 40, relative: 0.25 } },
  'private memory of the largest session of Postgres, MB': { growth: { absolute: 5, relative: 0.2 } },
  'private memory of the standby, MB': { growth: { absolute: 40, relative: 0.1 } },
  'private memory of the largest session of the standby, MB': { growth: { absolute: 5, relative: 0.2 } },
  // The chain itself grows: blocks, transactions and accounts stay in the node's memory.
  'memory of the chain, KB a block': { most: 200 },
  'files of the chain, MB': { growth: { absolute: 1, relative: 0.1 } },
  'open files of an API process that is never restarted': { growth: { absolute: 8, relative: 0.1 } },
  'open files of an API process that is killed at times': { growth: { absolute: 8, relative: 0.1 } },
  'open files of the indexer': { growth: { absolute: 8, relative: 0.1 } },
  'open files of GraphQL': { growth: { absolute: 8, relative: 0.1 } },
  'connections to Postgres': { growth: { absolute: 4, relative: 0.05 } },
  'connections to the standby': { growth: { absolute: 4, relative: 0.05 } },
  'oldest transaction of Postgres, s': { most: 120 },
  'temporary files': { growth: { absolute: 5, relative: 0.1 } },
  'files in the area of uploads': { growth: { absolute: 20, relative: 0.3 } },
  'rows that should be pruned': { most: 0 },
  'rows of the indexer for reorgs': { growth: { absolute: 200, relative: 0.2 } },
  'tasks that wait for the search': { growth: { absolute: 50, relative: 0.2 } },
  'unfinished writes': { growth: { absolute: 10, relative: 0.2 } },
  // max_wal_size, and what the standby may need again.
  'log of Postgres, MB': { most: 1_024 + 64 + 128 },
  'log of the standby, MB': { most: 1_024 + 64 + 128 },
  'log lines, bytes a request': { most: 2_000 },
  'p99 of writes, ms': { growth: { absolute: 500, relative: 0.5 } },
  'p99 of reads, ms': { growth: { absolute: 100, relative: 0.5 } },
  'p99 of GraphQL, ms': { growth: { absolute: 300, relative: 0.5 } },
  'p99 of SQL, ms': { growth: { absolute: 2_000, relative: 0.5 } },
  'recovery from a fault, s': { most: 300 },
  // Deadlines of seconds are missed at times where a machine is busy with other work.
  'failed requests outside of faults': { most: 10 },
  'writes without an outcome': { most: 0 },
  [OTHER_WORK]: { most: Number.POSITIVE_INFINITY },
  'ends before its time': { most: 0 },
  'processes that ended by themselves': { most: 0 },
}
