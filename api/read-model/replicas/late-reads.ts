import { withTimeout } from '../../concurrency/with-timeout.ts'
import { findPosition } from './read-position.ts'
import type { Replica } from './replica.ts'

/** So many reads in a row that take too long are the replica's fault; of one or two, a caller may have asked for what does. */
const LATE_READS = 3

/** Tells a replica that is slow or gone from one that was asked for something slow. */
export interface LateReads {
  /** A read took too long: sets the replica aside when it is one of several in a row, or gives no position in time. */
  note(replica: Replica): void
  /** A read was in time. */
  forget(replica: Replica): void
}

/** @param timeoutMs how long a replica may take for its position */
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
