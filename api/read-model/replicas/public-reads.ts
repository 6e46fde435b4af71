import postgres from 'postgres'
import { withTimeout } from '../../concurrency/with-timeout.ts'
import type { Database } from '../../db/client.ts'
import { ROW_CHANNELS } from '../row-changes.ts'
import { createLateReads } from './late-reads.ts'
import { findPosition, hasReached, parsePosition, type ReadPosition } from './read-position.ts'
import type { Replica } from './replica.ts'

/**
 * The milliseconds after which the primary's known position is queried again, even without a notification of a change.
 * A notification can be lost.
 */
const KNOWN_FOR_MS = 1_000
/** The time limit in milliseconds of a read on a replica. After this time, the read is repeated on the primary. */
const REPLICA_TIMEOUT_MS = 1_000
/**
 * The SQL states of errors after which the replica is still used, because only one statement failed: a timeout, or a
 * conflict with replayed writes.
 */
const ENDS_OF_STATEMENTS = ['57014', '40001']

/** The result of a read on one server. */
export interface Read<T> {
  value: T
  /**
   * The server's position as a text: the changes that the server's rows include (see `ReadPosition`). The first
   * statement of the read selects the position with `positionText`.
   */
  position: string
}

/** The server that answered a read. For the primary, the name includes the reason why no replica answered. */
export type ReadOutcome = 'replica' | 'primary_none_usable' | 'primary_replica_behind' | 'primary_replica_failed'

/**
 * Reads rows that are the same for every caller. A replica's answer is used only if the replica has all changes that
 * earlier answers showed, and all changes up to the primary's last known position.
 */
export interface PublicReads {
  /**
   * Runs a read and returns the read's value.
   * @param read the read; it may run twice: on a replica and then on the primary
   */
  read<T>(read: (sql: Database) => Promise<Read<T>>): Promise<T>
  /** Records a write. The next read then queries the primary's position again. */
  noteChange(): void
  /** Registers a listener for the end of a connection to one of the servers. */
  onClose(listener: () => void): void
  /**
   * Reads the position of every replica once, and decides for each replica if it is usable. Called by the background
   * loop with the name `replicas`.
   */
  poll(): Promise<void>
  replicas: readonly Replica[]
  /**
   * Listens to the primary's notifications of changes. Without `start` the primary's position is queried once a second.
   */
  start(): Promise<void>
  /** Stops listening and closes the connection pools of the replicas. */
  stop(): Promise<void>
}

export interface PublicReadsOptions {
  primary: Database
  /** The replicas in order of preference. The first usable replica serves all reads. */
  replicas: readonly Replica[]
  count(outcome: ReadOutcome): void
  now?: () => number
}

/**
 * The last known position of the primary. The position is queried again when a change of rows is notified or recorded
 * (`noteChange`), or when the position is `KNOWN_FOR_MS` old.
 */
interface Known {
  position: Promise<ReadPosition>
  since: number
  /**
   * The newest position on which an answer was based since the service queried `position`. This position can be newer
   * than `position`. Null if the service has given no answer since then. A replica may only answer if it has reached
   * both positions.
   */
  answered: ReadPosition | null
}

/** Creates the public reads, which use replicas where possible. Without replicas every read uses the primary. */
export function createPublicReads(options: PublicReadsOptions): PublicReads {
  const { primary, replicas, count, now = () => performance.now() } = options
  let knownPositions: Known | null = null
  const forget = (): void => {
    knownPositions = null
  }
  primary.onClose(forget)

  const findKnown = (): Known => {
    if (knownPositions !== null && now() - knownPositions.since < KNOWN_FOR_MS) return knownPositions
    const reading: Known = { position: findPosition(primary.byKey), since: now(), answered: null }
    knownPositions = reading
    reading.position.catch(() => {
      if (knownPositions === reading) forget()
    })
    return reading
  }
  // Without a known position the primary is queried before the next read, and its position includes every answer.
  const noteAnswer = (position: ReadPosition): void => {
    if (knownPositions === null) return
    if (knownPositions.answered === null || hasReached(position, knownPositions.answered))
      knownPositions.answered = position
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
      // The position is taken before the read, because the read may lack later changes.
      const { position: least, answered } = await settled(findKnown())
      try {
        const reading = await withTimeout(read(replica.sql), REPLICA_TIMEOUT_MS)
        if (reading === null) {
          lateReads.note(replica)
          return await readPrimary(read, 'primary_replica_failed')
        }
        lateReads.forget(replica)
        const { value, position } = reading
        const reachedPosition = parsePosition(position)
        if (!reachedPosition.isStandby) throw new Error('the server is no standby')
        if (!hasReached(reachedPosition, least) || (answered !== null && !hasReached(reachedPosition, answered))) {
          return await readPrimary(read, 'primary_replica_behind')
        }
        count('replica')
        noteAnswer(reachedPosition)
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

/** Queries a replica's position, and excludes the replica if it does not answer in time. */
async function pollWithin(replica: Replica, knownPosition: ReadPosition): Promise<void> {
  if ((await withTimeout(replica.poll(knownPosition), REPLICA_TIMEOUT_MS)) === null) {
    replica.setAside(new Error(`no answer within ${REPLICA_TIMEOUT_MS} ms`))
  }
}

function isEndOfStatement(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ENDS_OF_STATEMENTS.includes(error.code)
}

/**
 * Waits until the primary has answered the query for its position. Returns the position, and the value of `answered`
 * after the wait.
 */
async function settled(knownPositions: Known): Promise<{ position: ReadPosition; answered: ReadPosition | null }> {
  const position = await knownPositions.position
  return { position, answered: knownPositions.answered }
}
