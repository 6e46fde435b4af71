import { z } from 'zod'
import { phases } from '../../protocol/phase.ts'
import { auctionTypes, taskModes } from '../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import type { Queryable } from '../db/client.ts'
import { actorTypes } from '../domain/actor-type.ts'
import { queryInteger } from '../http/query.ts'
import { address, baseUnits, wellFormedText } from '../http/request-schemas.ts'
import { tagsQuery } from './tag-query.ts'
import type { Part } from './tasks/list/along-index.ts'
import { taskDropIdSchema } from './tasks/tasks.schemas.ts'

const SECONDS_PER_HOUR = 3600n
/** The largest value of the filter by deadline, in hours: ten years, within which every task expires. */
const MAX_DEADLINE_HOURS = 87_600

const all = 'ALL'

/**
 * The pattern of a search text that contains more than 30 minus signs in a row. The service refuses such a text.
 * PostgreSQL's parser of searches allows at most 32 nested operators, and each minus sign is one more nested operator.
 */
const TOO_MANY_MINUSES = /(?:-[\s!&|()<]*){31}/

/**
 * The pattern of a reference code, such as `TSK-H238QJNY`. If a search text matches this pattern, the search looks for
 * the task with this reference code. Otherwise, the search looks for words.
 */
const REFERENCE_CODE = /^TSK-[0-9A-Z]{8,}$/i
const isCode = (q: string) => REFERENCE_CODE.test(q)

/**
 * The place of a filter's SQL condition. `task`: the condition tests the task's row `t`. `texts`: the condition tests
 * the row `c` of the task's texts. `stream`: the filter has no condition of its own; it selects the streams from which
 * the list is read (list-streams.ts).
 */
type Checked = 'task' | 'texts' | 'stream'

interface Reading {
  /** The time of the latest block, in Unix seconds. */
  now: bigint
  /**
   * The planning of the statement. `kept`: the plan is made once, without the values of the filter. `own`: the statement
   * is planned with the values, so the planner can estimate the number of matching rows.
   */
  plan: 'kept' | 'own'
}

/** One filter of the list of tasks, for one query parameter. */
interface Filter<Value> {
  /**
   * The schema of the query parameter. If the parameter selects every task, such as `ALL`, the parsed value is
   * undefined.
   */
  query: z.ZodType<Value | undefined>
  on: Checked | ((value: Value) => Checked)
  /**
   * Returns the SQL condition that a row matches the value. Absent for a filter that selects streams instead of rows.
   */
  condition?(sql: Queryable, value: Value, reading: Reading): Part
  /**
   * The name of the index that the database uses for the filter. If an index finds the tasks with a given value,
   * `index` names this index. Otherwise, `index` names the index on the time of creation: the database reads the tasks
   * in the order of this index and tests each task.
   */
  index: string
  /**
   * True if the index contains the tasks with the same filter value in the order of their creation. Example: the index
   * on `(status, created_at_ms)`.
   */
  isInOrder?: true
  /**
   * True if a page is found quickly for every value of the filter. If few tasks match, the database reads all matching
   * tasks and sorts them. If many tasks match, the database reads the tasks in the order of the list, and soon finds
   * enough matching tasks for a page.
   */
  isNarrow?: true
}

/**
 * Returns a filter unchanged. The only purpose is type inference: TypeScript gives the parameter `value` of `condition`
 * the type that the schema `query` parses.
 */
function filter<Schema extends z.ZodType>(
  row: Filter<NonNullable<z.output<Schema>>> & { query: Schema },
): Filter<NonNullable<z.output<Schema>>> & { query: Schema } {
  return row
}

/**
 * The filters of `GET /tasks`. The schema of the query, the conditions of the SQL statement and their tests are made
 * from this table.
 */
export const taskFilters = {
  status: filter({
    query: z
      .enum([...taskStatuses, all])
      .default(all)
      .transform(unlessAll),
    on: 'stream',
    index: 'task_listed_status_created_at_ms_index',
    isInOrder: true,
  }),
  phase: filter({
    query: z
      .enum(phases)
      .optional()
      .meta({
        description:
          'Combines with `status`. The deadline rule of `status` stands before it: `awaiting_settlement` with status ' +
          '`open`, `claimed` or `worker_selected` finds nothing; ask for it with status `ALL`.',
      }),
    on: 'stream',
    index: 'task_listed_status_created_at_ms_index',
    isInOrder: true,
  }),
  mode: filter({
    query: z
      .enum([...taskModes, all])
      .default(all)
      .transform(unlessAll),
    on: 'task',
    condition: (sql, mode) => sql`t.mode = ${mode}`,
    index: 'task_listed_mode_created_at_ms_index',
    isInOrder: true,
  }),
  auctionType: filter({
    query: z.enum(auctionTypes).optional(),
    on: 'task',
    condition: (sql, auctionType) => sql`t.auction_type = ${auctionType}`,
    index: 'task_listed_auction_type_created_at_ms_index',
    isInOrder: true,
  }),
  requesterActorType: filter({
    query: z.enum(actorTypes).optional(),
    on: 'task',
    condition: (sql, actorType) =>
      sql`${actorType === 'agent' ? sql`` : sql`not`} exists (select from agent where address = t.requester and agent_id is not null)`,
    index: 'task_listed_created_at_ms_index',
  }),
  tags: filter({
    query: tagsQuery.optional().meta({
      description:
        'Repeated or comma separated, in any case; a task must have all of them. A tag with commas of its own is found too.',
    }),
    on: 'texts',
    condition: (sql, lists, { plan }) => {
      const tagsCondition = (texts: string[]) =>
        sql`c.folded_tags @> ${parsedOnce(sql, sql`service.folded_tags(${texts}::text[])`, plan)}`
      return lists.reduce(
        (sum, { whole, parts }) =>
          sql`${sum} and (${tagsCondition([whole])} ${parts.length === 0 ? sql`` : sql`or ${tagsCondition(parts)}`})`,
        sql`true`,
      )
    },
    index: 'task_search_tags',
  }),
  minReward: filter({
    query: baseUnits.optional(),
    on: 'task',
    condition: (sql, minReward) => sql`t.reward >= ${minReward.toString()}::numeric`,
    index: 'task_listed_reward_created_at_ms_index',
  }),
  maxReward: filter({
    query: baseUnits.optional(),
    on: 'task',
    condition: (sql, maxReward) => sql`t.reward <= ${maxReward.toString()}::numeric`,
    index: 'task_listed_reward_created_at_ms_index',
  }),
  deadlineHours: filter({
    query: queryInteger(1, MAX_DEADLINE_HOURS)
      .optional()
      .meta({ description: 'Only tasks that expire within so many hours from now.' }),
    on: 'task',
    condition: (sql, hours, { now }) =>
      sql`t.expiry_time > ${now} and t.expiry_time <= ${now + BigInt(hours) * SECONDS_PER_HOUR}`,
    index: 'task_listed_expiry_time_created_at_ms_index',
  }),
  requester: filter({
    query: address.optional(),
    on: 'task',
    condition: (sql, requester) => sql`t.requester = ${requester}`,
    index: 'task_requester_created_at_ms_index',
    isInOrder: true,
    isNarrow: true,
  }),
  worker: filter({
    query: address.optional().meta({ description: 'Assigned to this wallet, or awarded to it.' }),
    on: 'stream',
    index: 'task_worker_created_at_ms_index',
    isInOrder: true,
    isNarrow: true,
  }),
  taskDropId: filter({
    query: taskDropIdSchema.optional(),
    on: 'task',
    // The drop's tasks by key, because a drop is small compared with all tasks. Tasks created unlisted are not in its
    // list.
    condition: (sql, dropId) => sql`t.id = any(array(
      select task.id
      from service.task_drop_members member
      join task on task.requester = member.requester and task.created_content_hash = member.created_content_hash
      where member.drop_id = ${dropId} and member.task_visibility = 'public'))`,
    index: 'task_drop_members_drop',
    isNarrow: true,
  }),
  q: filter({
    query: wellFormedText(1, 200)
      .refine(
        (q) => !TOO_MANY_MINUSES.test(q),
        'has more than 30 minus signs in a row, each of which excludes what follows',
      )
      .optional()
      .meta({
        description:
          'Full text over description and tags, or a reference code. URLs, paths, names of files and versions are found whole ' +
          'and by their words.',
      }),
    // A code or words: a condition on both would prevent the use of either index.
    on: (q) => (isCode(q) ? 'task' : 'texts'),
    condition: (sql, q, { plan }) =>
      isCode(q)
        ? sql`t.id = (select target_id from reference_code where code = upper(${q}) and kind = 'task')`
        : sql`c.search @@ ${parsedOnce(sql, sql`service.search_query(${q})`, plan)}`,
    index: 'task_search_words',
  }),
}

export type FilterName = keyof typeof taskFilters

/** The parsed values of the filters, by query parameter. */
export type TaskFilter = {
  [Name in FilterName]?: NonNullable<z.output<(typeof taskFilters)[Name]['query']>> | undefined
} & {
  /**
   * A time in Unix milliseconds. If set, only tasks that were created before this time are listed. The time comes from
   * a cursor, not from a query parameter.
   */
  before?: bigint
}

type FilterSchemas = { [Name in FilterName]: (typeof taskFilters)[Name]['query'] }

const rows = Object.entries(taskFilters) as [FilterName, Filter<unknown>][]

/** The schemas of the query parameters of all filters. */
export const filterSchemas = Object.fromEntries(rows.map(([name, { query }]) => [name, query])) as FilterSchemas

/**
 * Returns the SQL conditions of the filters on the task `t`, or on the task's texts `c` if `on` is `texts`. Each
 * condition begins with `and`. The cursor and the filters that select streams have no condition here.
 */
export function conditionsOn(
  sql: Queryable,
  filter: TaskFilter,
  { on, ...reading }: { on: 'task' | 'texts' } & Reading,
): Part {
  const conditions = setRows(filter)
    .filter(({ row, value }) => placeOf(row, value) === on)
    .map(({ row, value }) => sql`and ${row.condition?.(sql, value, reading) ?? sql`true`}`)
  return conditions.reduce((sum, condition) => sql`${sum} ${condition}`, sql``)
}

/** Returns true if a filter reads the texts of tasks. The statement must then join the texts as `c`. */
export function isFoundByContent(filter: TaskFilter): boolean {
  return setRows(filter).some(({ row, value }) => placeOf(row, value) === 'texts')
}

/**
 * Returns true if at least one filter that is set has an index with the matching tasks in the order of their creation
 * (`Filter.isInOrder`).
 */
export function isInOrder(filter: TaskFilter): boolean {
  return setRows(filter).some(({ row }) => row.isInOrder === true)
}

/** Returns true if one of the set filters is narrow (`isNarrow`). A filter by words or tags is not narrow. */
export function isNarrow(filter: TaskFilter): boolean {
  return setRows(filter).some(({ row }) => row.isNarrow === true)
}

/** Returns true if no filter is set. A cursor may be set. */
export function isOfEverything(filter: TaskFilter): boolean {
  return setRows(filter).length === 0
}

/** Returns the filters that are set, each with its value. */
function setRows(filter: TaskFilter): { row: Filter<unknown>; value: unknown }[] {
  return rows.flatMap(([name, row]) => (filter[name] === undefined ? [] : [{ row, value: filter[name] }]))
}

function placeOf({ on }: Filter<unknown>, value: unknown): Checked {
  return typeof on === 'function' ? on(value) : on
}

function unlessAll<Value extends string>(value: Value | typeof all): Value | undefined {
  return value === all ? undefined : (value as Value)
}

/**
 * Returns the SQL of a value, such as a parsed search text. If the plan is `kept` (made once, for all values), the SQL
 * is a subquery, so PostgreSQL parses the value once instead of for each row. If the plan is `own`, the value is
 * returned unchanged.
 */
function parsedOnce(sql: Queryable, value: Part, plan: Reading['plan']) {
  return plan === 'own' ? value : sql`(select ${value})`
}
