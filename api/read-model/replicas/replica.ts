import type { Database } from '../../db/client.ts'
import { findPosition, hasReached, type ReadPosition } from './read-position.ts'

/** A server that replays what the primary writes. */
export interface Replica {
  /** Host and port: what it is called in logs and metrics. */
  name: string
  sql: Database
  /** Whether requests may be tried on it. */
  isUsable(): boolean
  /** A read failed: no request is tried on it until a poll of it succeeds. */
  setAside(cause: unknown): void
  /**
   * Reads its position. It may lack what is newer than the poll before: each read compares for itself, and the moment after a
   * block is no reason to leave a replica.
   * @param known the primary's position, read before
   */
  poll(known: ReadPosition): Promise<void>
}

/** What a poll found. */
export interface ReplicaState {
  replica: string
  isUsable: boolean
  /** Null: it gave no answer, or is no standby. */
  lagBlocks: bigint | null
}

export interface ReplicaOptions {
  name: string
  sql: Database
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void }
  /** Gets every change, and every poll. */
  onState(state: ReplicaState): void
}

/** Not usable before the first poll. */
export function createReplica({ name, sql, log, onState }: ReplicaOptions): Replica {
  let isUsable = false
  let least: ReadPosition | null = null
  const update = (next: Omit<ReplicaState, 'replica'>, facts: object): void => {
    if (next.isUsable && !isUsable) log.info({ replica: name }, 'a replica is used')
    if (!next.isUsable && isUsable) log.warn({ replica: name, ...facts }, 'a replica is set aside')
    isUsable = next.isUsable
    onState({ replica: name, ...next })
  }
  const setAside = (cause: unknown): void => update({ isUsable: false, lagBlocks: null }, { err: cause })
  return {
    name,
    sql,
    isUsable: () => isUsable,
    setAside,
    poll: async (known) => {
      try {
        const position = await findPosition(sql.byKey)
        if (!position.isStandby) throw new Error('it is no standby: promoted, or its URL is that of another server')
        const lagBlocks = lagOf(position, known)
        update({ isUsable: hasReached(position, least ?? known), lagBlocks }, { lagBlocks: Number(lagBlocks) })
      } catch (error) {
        setAside(error)
      } finally {
        least = known
      }
    },
  }
}

function lagOf({ indexed }: ReadPosition, known: ReadPosition): bigint {
  const behind = (known.indexed?.block ?? 0n) - (indexed?.block ?? 0n)
  return behind > 0n ? behind : 0n
}
