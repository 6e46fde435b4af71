import type { Queryable } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'

/** The position of a server's rows, read with them by one statement. */
export interface ReadPosition {
  /** The number of changes to rows that are otherwise written once: texts, passwords, drops. */
  changes: bigint
  /** True if the server replays another one's writes. */
  isStandby: boolean
  /** The indexer commit of the rows; null before its first. */
  indexed: IndexedCommit | null
}

interface IndexedCommit {
  block: bigint
  /** The table that holds it, and the transaction that wrote it: 32 bits that wrap around. */
  table: string
  transaction: number
  /** The served schema of the indexer. */
  schema: string
}

/** Returns the SQL of the position as a text, for `parsePosition`. */
export function positionText(sql: Queryable) {
  return sql`
    concat_ws(' ', (select count from service.content_changes), pg_is_in_recovery(), (
      select concat_ws(' ', block_number, coalesce(version, ''), coalesce(schema_version, '')) from indexed_head
    ))`
}

/** Parses a position. @param text of `positionText` */
export function parsePosition(text: string): ReadPosition {
  const [changes = '', isStandby, block, version = '', schema = ''] = text.split(' ')
  const [table = '', transaction = ''] = version.split(':')
  return {
    changes: BigInt(changes),
    isStandby: isStandby === 't',
    indexed: block === undefined ? null : { block: BigInt(block), table, transaction: Number(transaction), schema },
  }
}

/** Returns the present position of a server. */
export async function findPosition(sql: Queryable): Promise<ReadPosition> {
  return parsePosition(await findPositionText(sql))
}

/** Returns the position as text; in a transaction, that of its snapshot. */
export async function findPositionText(sql: Queryable): Promise<string> {
  const [row] = await run<{ position: string }[]>(sql, statement`select ${positionText(statement)} as position`)
  if (row === undefined) throw new Error('a select without a table has one row')
  return row.position
}

/**
 * Returns true if rows at `position` include everything at `known`. Blocks do not suffice, because after a reorg the
 * newer commit has the lower one. One transaction at a time writes a head, so its number orders the commits of a table.
 */
export function hasReached(position: ReadPosition, known: ReadPosition): boolean {
  if (position.changes < known.changes) return false
  if (known.indexed === null) return true
  if (position.indexed === null) return false
  const { table, schema, transaction } = position.indexed
  return (
    table === known.indexed.table &&
    schema === known.indexed.schema &&
    isSameOrLater(transaction, known.indexed.transaction)
  )
}

/** Compares wrapping transaction numbers: the later one is less than half of all numbers ahead. */
function isSameOrLater(transaction: number, other: number): boolean {
  return (transaction - other) >>> 0 < 2 ** 31
}
