import { withTimeout } from '../../concurrency/with-timeout.ts'
import { findPosition } from './read-position.ts'
import type { Replica } from './replica.ts'

/**
 * The number of successive slow reads after which the replica is excluded. One or two slow reads may be slow because of
 * their queries.
 */
const LATE_READS = 3

/** Counts slow reads to distinguish a slow or lost replica from slow queries. */
export interface LateReads {
  /**
   * Records a slow read of a replica. The replica is excluded after several successive slow reads, or if the replica's
   * position cannot be read in time.
   */
  note(replica: Replica): void
  /** Resets the replica's count of slow reads. Call it after the replica has answered a read in time. */
  forget(replica: Replica): void
}

/**
 * Creates the counter of slow reads. After a slow read, the replica's position is read as a test.
 * @param timeoutMs the time limit for this test, in milliseconds; a replica that exceeds the limit is excluded
 */
export function createLateReads(timeoutMs: number): LateReads {
  const counts = new Map<Replica, number>()
  const probes = new Map<Replica, Promise<void>>()
  const probe = async (replica: Replica): Promise<void> => {
    try {
      const position = await withTimeout(findPosition(replica.sql.byKey), timeoutMs)
      if (position === null) throw new Error(`no answer within ${timeoutMs} ms`)
    } catch (error) {
      replica.setAside(error)
    } finally {
      probes.delete(replica)
    }
  }
  return {
    note: (replica) => {
      const count = (counts.get(replica) ?? 0) + 1
      counts.set(replica, count % LATE_READS)
      if (count === LATE_READS) replica.setAside(new Error(`${count} reads in a row took more than ${timeoutMs} ms`))
      else if (!probes.has(replica)) probes.set(replica, probe(replica))
    },
    forget: (replica) => {
      counts.delete(replica)
    },
  }
}
