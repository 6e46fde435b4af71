import { withTimeout } from '../../concurrency/with-timeout.ts'
import { findPosition } from './read-position.ts'
import type { Replica } from './replica.ts'

/** The number of slow reads in a row that are the replica's fault; one or two may be slow queries. */
const LATE_READS = 3

/** Distinguishes a slow or lost replica from slow queries. */
export interface LateReads {
  /** Records a slow read: sets the replica aside after several in a row, or when it gives no position in time. */
  note(replica: Replica): void
  /** Resets the count after a read in time. */
  forget(replica: Replica): void
}

/** Creates the count. @param timeoutMs the time limit of a replica's position */
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
