import type { Replica } from '../environment/replica.ts'

/** What a process says of the replicas that it reads from. */
export interface ReadMetrics {
  /** Reads so far, by where they were answered. */
  byReplica: number
  byPrimary: { behind: number; failed: number; noneUsable: number }
  /** Whether reads are tried on the replica. */
  isUsable: boolean
  /** Null: it gave no answer, or is no standby. */
  lagBlocks: number | null
}

/** Of a process with one replica. */
export async function readMetrics({ url }: Replica): Promise<ReadMetrics> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const find = (name: string): number | null => {
    const line = text.split('\n').find((each) => each.startsWith(name))
    return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  const reads = (outcome: string) => find(`taskmarket_public_reads_total{outcome="${outcome}"}`) ?? 0
  return {
    byReplica: reads('replica'),
    byPrimary: {
      behind: reads('primary_replica_behind'),
      failed: reads('primary_replica_failed'),
      noneUsable: reads('primary_none_usable'),
    },
    isUsable: find('taskmarket_replica_usable{') === 1,
    lagBlocks: find('taskmarket_replica_lag_blocks{'),
  }
}
