import type { Queryable } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'

/** How far a server's rows are, as one statement reads it with them. */
export interface ReadPosition {
  /** How often the service changed rows that are otherwise written once: texts, passwords, drops. */
  changes: bigint
  /** Whether the server replays what another writes. */
  isStandby: boolean
  /** The commit of the indexer that the rows are of; null before its first. */
  indexed: IndexedCommit | null
}

interface IndexedCommit {
  block: bigint
  /** The table that holds it, and the transaction that wrote it: 32 bits that start again from zero. */
  table: string
  transaction: number
  /** The schema of the indexer that is served. */
  schema: string
}

/** The position as a text, for `parsePosition`. */
export function positionText(sql: Queryable) {
  return sql`
    concat_ws(' ', (select count from service.content_changes), pg_is_in_recovery(), (
      select concat_ws(' ', block_number, coalesce(version, ''), coalesce(schema_version, '')) from indexed_head
    ))`
}

/** @param text of `positionText` */
export function parsePosition(text: string): ReadPosition {
  const [changes = '', isStandby, block, version = '', schema = ''] = text.split(' ')
  const [table = '', transaction = ''] = version.split(':')
  return {
    changes: BigInt(changes),
    isStandby: isStandby === 't',
    indexed: block === undefined ? null : { block: BigInt(block), table, transaction: Number(transaction), schema },
  }
}

/** The position of a server now. */
export async function findPosition(sql: Queryable): Promise<ReadPosition> {
  return parsePosition(await findPositionText(sql))
}

/** The same as text: of the snapshot, in a transaction that has one. */
export async function findPositionText(sql: Queryable): Promise<string> {
  const [row] = await run<{ position: string }[]>(sql, statement`select ${positionText(statement)} as position`)
  if (row === undefined) throw new Error('a select without a table has one row')
  return row.position
}

/**
 * Whether rows at `position` have everything that is in those at `known`. Not by block: after a reorg the newer commit
 * has the lower one. One transaction at a time writes a head, so its number orders the commits of a table.
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

/** Numbers of transactions go round: of two, the later one is less than half of all numbers ahead. */
function isSameOrLater(transaction: number, other: number): boolean {
  return (transaction - other) >>> 0 < 2 ** 31
}
