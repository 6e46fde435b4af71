import type { Queryable } from '../../../db/client.ts'
import { toTimestampFromMs } from '../../../http/response-schemas.ts'

/** The orders of the task list in which the database can read all tasks along an index. */
const sortKeys = ['newest', 'reward_desc', 'reward_asc', 'deadline_asc'] as const
export type SortKey = (typeof sortKeys)[number]

/** The orders in which a client can request the list of tasks. */
export const taskOrders = [...sortKeys, 'relevance'] as const
export type TaskOrder = (typeof taskOrders)[number]

/** The largest length of a cursor in characters. A reward has up to 78 digits. */
export const MAX_CURSOR_LENGTH = 200

/**
 * The position of a task in a sorted list. Each task has a different position, because two tasks never have the same
 * `createdAtMs`. A cursor contains the position of the last task on a page.
 */
export interface TaskPosition {
  /**
   * The value by which the list is sorted: the reward in base units of USDC, the expiry in Unix seconds, or the rank.
   * Absent in the order of creation.
   */
  key?: string
  createdAtMs: bigint
  /**
   * The `createdAtMs` of the newest task that was ranked for the first page. Later pages do not rank newer tasks.
   * Present only in the order of relevance.
   */
  newestRankedMs?: bigint
}

const INT8_MAX = 2n ** 63n - 1n
/** The pattern of a search rank in a cursor, in the form in which PostgreSQL prints a float4. */
const RANK = /^[0-9]{1,10}(?:\.[0-9]{1,10})?(?:e[+-][0-9]{1,2})?$/
/**
 * The smallest and the largest search rank that a cursor may have. PostgreSQL refuses to parse a float4 outside of its
 * range.
 */
const [LEAST_RANK, MOST_RANK] = [1e-37, 1e37]

/**
 * Returns the cursor of the page after a task. In the order of creation, the cursor is the ISO time of the task's
 * creation (specification, "List tasks"). In all other orders, it is an opaque text, such as
 * `cmV3YXJkX2Rlc2MgNTAwMDAwMCAxODkzNDU2MDAwMDAw`.
 * @param positionText the values of `positionColumn`
 */
export function toTaskCursor(order: TaskOrder, positionText: string): string {
  if (order === 'newest') return toTimestampFromMs(BigInt(positionText))
  return Buffer.from(`${order} ${positionText}`).toString('base64url')
}

/**
 * Parses a cursor. Returns `other sort` if the cursor belongs to another sort, and null if the text is not a cursor.
 */
export function parseTaskCursor(cursor: string, order: TaskOrder): TaskPosition | 'other sort' | null {
  const parsedCursor = parseTime(cursor) ?? parseOpaque(cursor)
  if (parsedCursor === null) return null
  return parsedCursor.order === order ? parsedCursor.position : 'other sort'
}

interface ParsedCursor {
  order: TaskOrder
  position: TaskPosition
}

function parseTime(cursor: string): ParsedCursor | null {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/.test(cursor)
  const time = isTime ? Date.parse(cursor) : Number.NaN
  return Number.isNaN(time) ? null : { order: 'newest', position: { createdAtMs: BigInt(time) } }
}

function parseOpaque(cursor: string): ParsedCursor | null {
  if (!/^[\w-]+$/.test(cursor)) return null
  const [name, key = '', createdAt = '', newest, ...others] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const order = taskOrders.find((knownOrder) => knownOrder === name)
  const createdAtMs = parseInt8(createdAt)
  if (order === undefined || order === 'newest' || createdAtMs === null || others.length > 0) return null
  if (order !== 'relevance') {
    const isKey = order === 'deadline_asc' ? parseInt8(key) !== null : /^[0-9]{1,78}$/.test(key)
    return isKey && newest === undefined ? { order, position: { key, createdAtMs } } : null
  }
  const newestRankedMs = parseInt8(newest ?? '')
  return isRank(key) && newestRankedMs !== null ? { order, position: { key, createdAtMs, newestRankedMs } } : null
}

function parseInt8(text: string): bigint | null {
  if (!/^[0-9]{1,19}$/.test(text)) return null
  const value = BigInt(text)
  return value < INT8_MAX ? value : null
}

function isRank(text: string): boolean {
  const rank = Number(text)
  return RANK.test(text) && (rank === 0 || (rank >= LEAST_RANK && rank <= MOST_RANK))
}

/**
 * Returns the SQL expression of a task's position, as a text. In the caller's statement, the alias of the tasks must be
 * `t`.
 */
export function positionColumn(sql: Queryable, order: SortKey | 'rank') {
  switch (order) {
    case 'newest':
      return sql`t.created_at_ms::text`
    case 'reward_desc':
    case 'reward_asc':
      return sql`concat_ws(' ', t.reward, t.created_at_ms)`
    case 'deadline_asc':
      return sql`concat_ws(' ', t.expiry_time, t.created_at_ms)`
    case 'rank':
      return sql`concat_ws(' ', t.rank, t.created_at_ms, t.newest_ranked_ms)`
  }
}

/**
 * Returns the SQL condition that task `t` comes after a position in the order. The condition begins with `and`. It is
 * empty for the first page. It is also empty in the order of creation, where a condition on the time of creation is
 * used instead.
 */
export function isBehind(sql: Queryable, key: SortKey, position: TaskPosition | undefined) {
  if (position?.key === undefined) return sql``
  const { key: value, createdAtMs } = position
  switch (key) {
    case 'newest':
      return sql``
    case 'reward_desc':
      return sql`and (t.reward, t.created_at_ms) < (${value}::numeric, ${createdAtMs}::int8)`
    case 'reward_asc':
      return sql`and (t.reward, t.created_at_ms) > (${value}::numeric, ${createdAtMs}::int8)`
    case 'deadline_asc':
      return sql`and (t.expiry_time, t.created_at_ms) > (${value}::int8, ${createdAtMs}::int8)`
  }
}

/**
 * Returns the SQL columns by which an order sorts the tasks. Two tasks never have equal values in these columns,
 * because two tasks are never created in the same millisecond. Each order has an index, which can be read forwards and
 * backwards.
 */
export function orderBy(sql: Queryable, order: SortKey) {
  switch (order) {
    case 'newest':
      return sql`t.created_at_ms desc`
    case 'reward_desc':
      return sql`t.reward desc, t.created_at_ms desc`
    case 'reward_asc':
      return sql`t.reward, t.created_at_ms`
    case 'deadline_asc':
      return sql`t.expiry_time, t.created_at_ms`
  }
}
