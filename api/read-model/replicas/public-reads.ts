import postgres from 'postgres'
import { withTimeout } from '../../concurrency/with-timeout.ts'
import type { Database } from '../../db/client.ts'
import { ROW_CHANNELS } from '../row-changes.ts'
import { createLateReads } from './late-reads.ts'
import { findPosition, hasReached, parsePosition, type ReadPosition } from './read-position.ts'
import type { Replica } from './replica.ts'

/** How long a position of the primary is taken for its newest without a notification: one can be lost. */
const KNOWN_FOR_MS = 1_000
/** How long a replica may take for a read before the primary is asked. */
const REPLICA_TIMEOUT_MS = 1_000
/** What ends one statement and says nothing of its server: its time is over, or the replay removes what it reads. */
const ENDS_OF_STATEMENTS = ['57014', '40001']

/** What a read made of one server's rows. */
export interface Read<T> {
  value: T
  /** `positionText`, of its first statement. */
  position: string
}

/** Where a read was answered, and why not by a replica. */
export type ReadOutcome = 'replica' | 'primary_none_usable' | 'primary_replica_behind' | 'primary_replica_failed'

/** Reads of rows that are the same for every caller, by a replica where one has all that this process knows of. */
export interface PublicReads {
  /** @param read may run twice: on a replica, then on the primary */
  read<T>(read: (sql: Database) => Promise<Read<T>>): Promise<T>
  /** Something was written: the next read asks the primary how far it is. */
  noteChange(): void
  /** Has `listener` called whenever a connection to one of the servers has ended. */
  onClose(listener: () => void): void
  /** Polls every replica once: which rows it has, and whether it is usable. The loop `replicas`. */
  poll(): Promise<void>
  replicas: readonly Replica[]
  /** Listens to the primary. Without it positions are read once a second. */
  start(): Promise<void>
  /** Closes the pools of the replicas. */
  stop(): Promise<void>
}

export interface PublicReadsOptions {
  primary: Database
  /** In the order in which they are preferred: what is kept of a server's rows is good for that server. */
  replicas: readonly Replica[]
  count(outcome: ReadOutcome): void
  now?: () => number
}

/** What this process knows of the primary, until it is told of something newer. */
interface Known {
  position: Promise<ReadPosition>
  since: number
  /** The newest position that was answered since, which no notification may have told of yet; null: no answer. */
  answered: ReadPosition | null
}

/** Without replicas everything is read from the primary, and nothing else happens. */
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
  // With nothing known the primary is asked before the next read: it has everything that was answered.
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
      // Before the read: what becomes known while it runs may be missing in it.
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

/** Sets it aside when it does not say in time how far it is. */
async function pollWithin(replica: Replica, known: ReadPosition): Promise<void> {
  if ((await withTimeout(replica.poll(known), REPLICA_TIMEOUT_MS)) === null) {
    replica.setAside(new Error(`no answer within ${REPLICA_TIMEOUT_MS} ms`))
  }
}

function isEndOfStatement(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ENDS_OF_STATEMENTS.includes(error.code)
}

/** Once the position is there: what was answered meanwhile is known too. */
async function settled(known: Known): Promise<{ position: ReadPosition; answered: ReadPosition | null }> {
  const position = await known.position
  return { position, answered: known.answered }
}
