import postgres from 'postgres'
import { withTimeout } from '../../concurrency/with-timeout.ts'
import type { Database } from '../../db/client.ts'
import { ROW_CHANNELS } from '../row-changes.ts'
import { createLateReads } from './late-reads.ts'
import { findPosition, hasReached, parsePosition, type ReadPosition } from './read-position.ts'
import type { Replica } from './replica.ts'

/** The time for which a position of the primary counts as its newest without a notification, which can be lost. */
const KNOWN_FOR_MS = 1_000
/** The time limit of a replica's read before the primary is queried. */
const REPLICA_TIMEOUT_MS = 1_000
/** The SQL states that end one statement and say nothing of its server: a timeout, or a conflict with the replay. */
const ENDS_OF_STATEMENTS = ['57014', '40001']

/** The result of a read on one server. */
export interface Read<T> {
  value: T
  /** The `positionText` of its first statement. */
  position: string
}

/** The server of a read, and the reason why it was no replica. */
export type ReadOutcome = 'replica' | 'primary_none_usable' | 'primary_replica_behind' | 'primary_replica_failed'

/** The reads of rows that are equal for every caller, by a replica that has everything this process has seen. */
export interface PublicReads {
  /** Reads. @param read may run twice: on a replica, then on the primary */
  read<T>(read: (sql: Database) => Promise<Read<T>>): Promise<T>
  /** Records a write: the next read requests the primary's position. */
  noteChange(): void
  /** Registers a listener for ended connections to one of the servers. */
  onClose(listener: () => void): void
  /** Polls every replica once for its position and usability. The loop `replicas`. */
  poll(): Promise<void>
  replicas: readonly Replica[]
  /** Listens to the primary; without it positions are read once a second. */
  start(): Promise<void>
  /** Closes the pools of the replicas. */
  stop(): Promise<void>
}

export interface PublicReadsOptions {
  primary: Database
  /** The replicas in order of preference, because cached rows of a server fit that server. */
  replicas: readonly Replica[]
  count(outcome: ReadOutcome): void
  now?: () => number
}

/** The known position of the primary, until a newer one arrives. */
interface Known {
  position: Promise<ReadPosition>
  since: number
  /** The newest position in an answer since, possibly before its notification; null: no answer. */
  answered: ReadPosition | null
}

/** Creates the reads. Without replicas everything is read from the primary. */
export function createPublicReads(options: PublicReadsOptions): PublicReads {
  const { primary, replicas, count, now = () => performance.now() } = options
  let known: Known | null = null
  const forget = (): void => {
    known = null
  }
  primary.onClose(forget)

  const findKnown = (): Known => {
    if (known !== null && now() - known.since < KNOWN_FOR_MS) return known
    const reading: Known = { position: findPosition(primary.byKey), since: now(), answered: null }
    known = reading
    reading.position.catch(() => {
      if (known === reading) forget()
    })
    return reading
  }
  // Without a known position the primary is queried before the next read, and its position includes every answer.
  const noteAnswer = (position: ReadPosition): void => {
    if (known === null) return
    if (known.answered === null || hasReached(position, known.answered)) known.answered = position
  }
  const readPrimary = async <T>(read: (sql: Database) => Promise<Read<T>>, outcome: ReadOutcome): Promise<T> => {
    count(outcome)
    const { value, position } = await read(primary)
    noteAnswer(parsePosition(position))
    return value
  }
  const lateReads = createLateReads(REPLICA_TIMEOUT_MS)
  const unlisten: (() => Promise<void>)[] = []

  return {
    replicas,
    read: async (read) => {
      if (replicas.length === 0) return (await read(primary)).value
      const replica = replicas.find((each) => each.isUsable())
      if (replica === undefined) return await readPrimary(read, 'primary_none_usable')
      // Taken before the read, because later changes may be missing in it.
      const { position: least, answered } = await settled(findKnown())
      try {
        const found = await withTimeout(read(replica.sql), REPLICA_TIMEOUT_MS)
        if (found === null) {
          lateReads.note(replica)
          return await readPrimary(read, 'primary_replica_failed')
        }
        lateReads.forget(replica)
        const { value, position } = found
        const reached = parsePosition(position)
        if (!reached.isStandby) throw new Error('the server is no standby')
        if (!hasReached(reached, least) || (answered !== null && !hasReached(reached, answered))) {
          return await readPrimary(read, 'primary_replica_behind')
        }
        count('replica')
        noteAnswer(reached)
        return value
      } catch (error) {
        if (!isEndOfStatement(error)) replica.setAside(error)
        return await readPrimary(read, 'primary_replica_failed')
      }
    },
    noteChange: forget,
    onClose: (listener) => {
      for (const sql of [primary, ...replicas.map((replica) => replica.sql)]) sql.onClose(listener)
    },
    poll: async () => {
      const position = await findKnown().position
      await Promise.all(replicas.map((replica) => pollWithin(replica, position)))
    },
    start: async () => {
      if (replicas.length === 0) return
      for (const channel of ROW_CHANNELS) unlisten.push((await primary.listen(channel, forget, forget)).unlisten)
    },
    stop: async () => {
      await Promise.all(unlisten.map((end) => end()))
      await Promise.all(replicas.map(({ sql }) => sql.end({ timeout: 1 })))
    },
  }
}

/** Polls a replica, and sets it aside without a position in time. */
async function pollWithin(replica: Replica, known: ReadPosition): Promise<void> {
  if ((await withTimeout(replica.poll(known), REPLICA_TIMEOUT_MS)) === null) {
    replica.setAside(new Error(`no answer within ${REPLICA_TIMEOUT_MS} ms`))
  }
}

function isEndOfStatement(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ENDS_OF_STATEMENTS.includes(error.code)
}

/** Returns both once the position has arrived, so that answers meanwhile are included. */
async function settled(known: Known): Promise<{ position: ReadPosition; answered: ReadPosition | null }> {
  const position = await known.position
  return { position, answered: known.answered }
}
