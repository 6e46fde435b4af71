import type { Database } from '../../db/client.ts'
import { findPosition, hasReached, type ReadPosition } from './read-position.ts'

/** A database server that replays the primary's writes. */
export interface Replica {
  /** The host and port of the replica. They name the replica in logs and metrics. */
  name: string
  sql: Database
  /** Returns true if requests may use the replica. */
  isUsable(): boolean
  /** Excludes the replica from requests after a failed read, until a poll of the replica succeeds. */
  setAside(cause: unknown): void
  /**
   * Reads the replica's position and decides if the replica is usable. The replica is usable if it has all changes up
   * to the `knownPosition` of the previous poll. At the first poll, it must have all changes up to the `knownPosition`
   * of this poll.
   * @param knownPosition the primary's position, read before this call
   */
  poll(knownPosition: ReadPosition): Promise<void>
}

/** The result of a poll of a replica. */
export interface ReplicaState {
  replica: string
  isUsable: boolean
  /** The number of blocks that the replica lacks. Null if the replica did not answer or is not a standby. */
  lagBlocks: bigint | null
}

export interface ReplicaOptions {
  name: string
  sql: Database
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void }
  /** Receives the replica's state after every poll and every exclusion. */
  onState(state: ReplicaState): void
}

/** Creates a replica, which is not usable before its first poll. */
export function createReplica({ name, sql, log, onState }: ReplicaOptions): Replica {
  let isUsable = false
  let least: ReadPosition | null = null
  const update = (next: Omit<ReplicaState, 'replica'>, facts: object): void => {
    if (next.isUsable && !isUsable) log.info({ replica: name }, 'replica included')
    if (!next.isUsable && isUsable) log.warn({ replica: name, ...facts }, 'replica excluded')
    isUsable = next.isUsable
    onState({ replica: name, ...next })
  }
  const setAside = (cause: unknown): void => update({ isUsable: false, lagBlocks: null }, { err: cause })
  return {
    name,
    sql,
    isUsable: () => isUsable,
    setAside,
    poll: async (knownPosition) => {
      try {
        const position = await findPosition(sql.byKey)
        if (!position.isStandby) throw new Error('it is no standby: promoted, or its URL is that of another server')
        const lagBlocks = lagOf(position, knownPosition)
        update({ isUsable: hasReached(position, least ?? knownPosition), lagBlocks }, { lagBlocks: Number(lagBlocks) })
      } catch (error) {
        setAside(error)
      } finally {
        least = knownPosition
      }
    },
  }
}

function lagOf({ indexed }: ReadPosition, knownPosition: ReadPosition): bigint {
  const lagBlocks = (knownPosition.indexed?.block ?? 0n) - (indexed?.block ?? 0n)
  return lagBlocks > 0n ? lagBlocks : 0n
}
