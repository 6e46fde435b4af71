import type { Queryable } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'

/**
 * The position of a database server: the changes that the server's rows include. A replica whose position has not
 * reached the primary's position lacks changes.
 */
export interface ReadPosition {
  /**
   * The number of changes to rows that are usually written once: task contents, passwords of private tasks, task drops.
   */
  changes: bigint
  /** True if the server is a standby, which replays the writes of a primary. */
  isStandby: boolean
  /** The indexer commit that the rows include, or null before the indexer's first commit. */
  indexed: IndexedCommit | null
}

interface IndexedCommit {
  block: bigint
  /**
   * The version of the indexer's last commit. `table`: the id of the table that contains the indexed block.
   * `transaction`: the number of the transaction that wrote the block. The number has 32 bits and wraps around.
   */
  table: string
  transaction: number
  /** The database schema of the indexer deployment that is served. */
  schema: string
}

/** Returns the SQL of a server's position as a text, which `parsePosition` parses. */
export function positionText(sql: Queryable) {
  return sql`
    concat_ws(' ', (select count from service.content_changes), pg_is_in_recovery(), (
      select concat_ws(' ', block_number, coalesce(version, ''), coalesce(schema_version, '')) from indexed_head
    ))`
}

/**
 * Parses a server's position.
 * @param text a value of `positionText`
 */
export function parsePosition(text: string): ReadPosition {
  const [changes = '', isStandby, block, version = '', schema = ''] = text.split(' ')
  const [table = '', transaction = ''] = version.split(':')
  return {
    changes: BigInt(changes),
    isStandby: isStandby === 't',
    indexed: block === undefined ? null : { block: BigInt(block), table, transaction: Number(transaction), schema },
  }
}

/** Returns the present position of a database server: the changes that the server's rows include now. */
export async function findPosition(sql: Queryable): Promise<ReadPosition> {
  return parsePosition(await findPositionText(sql))
}

/** Returns a server's position as a text. In a transaction it is the position of the transaction's snapshot. */
export async function findPositionText(sql: Queryable): Promise<string> {
  const [row] = await run<{ position: string }[]>(sql, statement`select ${positionText(statement)} as position`)
  if (row === undefined) throw new Error('a select without a table has one row')
  return row.position
}

/**
 * Returns true if rows at `position` include all changes of rows at `knownPosition`.
 *
 * The function compares transaction numbers instead of block numbers. After a reorg, the newer commit can have the
 * lower block.
 */
export function hasReached(position: ReadPosition, knownPosition: ReadPosition): boolean {
  if (position.changes < knownPosition.changes) return false
  if (knownPosition.indexed === null) return true
  if (position.indexed === null) return false
  const { table, schema, transaction } = position.indexed
  return (
    table === knownPosition.indexed.table &&
    schema === knownPosition.indexed.schema &&
    isSameOrLater(transaction, knownPosition.indexed.transaction)
  )
}

/**
 * Returns true if `transaction` is `other` or later. Numbers have 32 bits and wrap around. So `transaction` counts as
 * later if it is ahead of `other` by less than 2^31. Example: `isSameOrLater(1, 4294967295)` returns true.
 */
function isSameOrLater(transaction: number, other: number): boolean {
  return (transaction - other) >>> 0 < 2 ** 31
}
