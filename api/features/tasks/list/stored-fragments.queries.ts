import type { Hex } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import { run, statement } from '../../../db/statement-text.ts'
import type { TimeWindow } from '../../../domain/actions/action-rule.ts'
import { sharedVersion } from '../../../read-model/indexed-head.queries.ts'

/** The JSON of a listed task, as it is stored in `service.task_fragments`. */
export interface StoredFragment {
  id: Hex
  /** The `taskVersion` of the row from which the JSON was built. */
  version: string
  interval: TimeWindow
  hash: string
  body: string
}

/**
 * The versions of the shared data and of the code from which all fragments of a page are built. A fragment is the JSON
 * of one task.
 */
export interface FragmentsShared {
  /**
   * The version of the data that all tasks share (`sharedVersion`). It must be read by the same statement as the
   * versions of the tasks.
   */
  shared: string
  /** The digest of the code with which this process builds the JSON (`digestView`). */
  digest: string
}

/**
 * The separators in a text that contains several fragments. `SEPARATOR` stands between two fragments. `PART_END` stands
 * between two parts of one fragment. No part contains a control character, because JSON escapes control characters.
 */
const [SEPARATOR, PART_END] = ['\u0001', '\u0002']

/**
 * Finds the stored fragments of tasks in the given versions, in any order. Only fragments that are valid at the time
 * `now` are returned. `now` is the time of the latest block, in Unix seconds.
 */
export async function findStoredFragments(
  sql: Queryable,
  heads: readonly Pick<StoredFragment, 'id' | 'version'>[],
  { shared, digest, now }: FragmentsShared & { now: bigint },
): Promise<StoredFragment[]> {
  const [ids, versions] = [heads.map(({ id }) => id), heads.map(({ version }) => version)]
  const [row] = await run<{ fragments: string | null }[]>(
    sql,
    statement`
      select string_agg(
        concat_ws(${PART_END}, asked.place, coalesce(f.valid_from::text, ''), coalesce(f.valid_until::text, ''), f.hash, f.body),
        ${SEPARATOR}) as fragments
      from unnest(${ids as string[]}::text[], ${versions}::text[]) with ordinality as asked (task_id, version, place)
      join service.task_fragments f using (task_id, version)
      where f.shared = (select ${storedShared(statement, digest)})
        and (f.valid_from is null or f.valid_from <= ${now}) and (f.valid_until is null or f.valid_until > ${now})
        and (select ${sharedVersion(statement)}) = ${shared}`,
  )
  if (row === undefined || row.fragments === null) return []
  return row.fragments.split(SEPARATOR).flatMap((text) => {
    const [place = '', from = '', until = '', hash = '', body = ''] = text.split(PART_END)
    const task = heads[Number(place) - 1]
    const interval = { from: toTime(from), until: toTime(until) }
    return task === undefined ? [] : [{ id: task.id, version: task.version, interval, hash, body }]
  })
}

/**
 * Stores fragments and replaces the earlier fragments of the same tasks. The transaction must also have read the rows
 * from which the fragments were built. Nothing is stored if the shared state (`sharedVersion`) has changed since then.
 */
export async function storeFragments(
  tx: Queryable,
  fragments: readonly StoredFragment[],
  { shared, digest }: FragmentsShared,
): Promise<void> {
  // In one order: processes that store the same tasks wait for each other.
  const sortedFragments = fragments.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const column = <Value>(of: (fragment: StoredFragment) => Value) => sortedFragments.map(of)
  // The commit of the fragments follows the commits of their rows in the server's log. So a server that recovers or
  // takes over has the rows of every fragment that it has.
  await tx`
    insert into service.task_fragments as f (task_id, version, shared, valid_from, valid_until, hash, body)
    select made.task_id, made.version, ${storedShared(tx, digest)}, nullif(made.valid_from, '')::int8,
      nullif(made.valid_until, '')::int8, made.hash, made.body
    from unnest(${column(({ id }) => id)}::text[], ${column(({ version }) => version)}::text[],
      ${column(({ interval }) => interval.from?.toString() ?? '')}::text[],
      ${column(({ interval }) => interval.until?.toString() ?? '')}::text[],
      ${column(({ hash }) => hash)}::text[], ${column(({ body }) => body)}::text[]
    ) as made (task_id, version, valid_from, valid_until, hash, body)
    where ${sharedVersion(tx)} = ${shared}
    on conflict (task_id) do update set version = excluded.version, shared = excluded.shared, valid_from = excluded.valid_from,
      valid_until = excluded.valid_until, hash = excluded.hash, body = excluded.body
    where (f.version, f.shared, f.valid_from) is distinct from (excluded.version, excluded.shared, excluded.valid_from)`
}

/**
 * Examines the next `limit` fragments in the order of their task ids, and deletes the useless ones. A fragment is
 * useless if its task no longer exists, or if the shared state (`storedShared`) has changed since the fragment was
 * stored. The removal of a text, for example, changes the shared state.
 * @param options.after the last id that the previous call examined; an empty string to begin
 * @returns the last id that this call examined; null if there was none
 */
export async function deleteUselessFragments(
  sql: Queryable,
  { after, limit, digest }: { after: string; limit: number; digest: string },
): Promise<string | null> {
  const rows = await sql<{ last: string | null }[]>`
    with part as (select task_id from service.task_fragments where task_id > ${after} order by task_id limit ${limit}),
      useless as (
        delete from service.task_fragments f using part
        where f.task_id = part.task_id and (select ready from indexed_head)
          and (f.shared <> (select ${storedShared(sql, digest)}) or not exists (select from task where id = f.task_id))
      )
    select max(task_id) as last from part`
  return rows[0]?.last ?? null
}

/**
 * Returns the SQL of the shared state: everything on which the stored fragments of all tasks depend. A fragment also
 * depends on the version of its task, which is not included.
 */
function storedShared(sql: Queryable, digest: string) {
  // A restored server numbers its transactions anew, so the stored versions are then invalid. The restore of a dump
  // changes the id of the database system or the id of the table.
  return sql`
    row(
      ${digest}::text, (select system_identifier from pg_control_system()), 'service.task_fragments'::regclass::oid,
      (select schema_version from indexed_head), (select paused from market_config),
      (select count from service.content_changes)
    )::text`
}

function toTime(text: string): bigint | null {
  return text === '' ? null : BigInt(text)
}
