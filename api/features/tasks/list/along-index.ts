import type { PendingQuery, Row } from 'postgres'
import type { Queryable } from '../../../db/client.ts'

/** A part of a statement. */
export type Part = PendingQuery<Row[]>

/** Rows that an index holds in an order: `where` has its first columns and its predicate, `order` the others. */
export interface Walk {
  columns: Part
  from: Part
  where: Part
  order: Part
  limit: number
}

/** The first rows along an index. */
export function alongIndex(sql: Queryable, { columns, from, where, order, limit }: Walk): Part {
  return sql`(select ${columns} from ${from} where ${where} order by ${order} limit ${limit})`
}
