import type { PendingQuery, Row } from 'postgres'
import type { Queryable } from '../../../db/client.ts'

/** A fragment of an SQL statement. */
export type Part = PendingQuery<Row[]>

/**
 * A query that reads rows in the order of an index. `where` fixes the first columns of the index and implies the
 * predicate of the index. `order` names the remaining columns of the index.
 */
export interface Walk {
  columns: Part
  from: Part
  where: Part
  order: Part
  limit: number
}

/** Returns the SQL that selects the first rows in the order of an index. */
export function alongIndex(sql: Queryable, { columns, from, where, order, limit }: Walk): Part {
  return sql`(select ${columns} from ${from} where ${where} order by ${order} limit ${limit})`
}
