import type { Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'
import { sharedVersion } from '../../read-model/indexed-head.queries.ts'
import { positionText } from '../../read-model/replicas/read-position.ts'
import { taskVersion, versionTables } from './task-version.ts'

/**
 * Returns an SQL expression for the version of the detail of task `t`. The detail is made from many rows. The version
 * changes whenever one of these rows changes. The statement must also contain `versionTables`.
 */
export function detailVersion(sql: Queryable) {
  return sql`
    row(
      ${sharedVersion(sql)}, ${taskVersion(sql)},
      array(
        select row(w.rank, a.agent_id)::text from award w left join agent a on a.address = w.worker
        where w.task_id = t.id order by w.rank
      ),
      (
        select row(p, l, c, worker_account, requester_account, newest)::text
        from hook_set s
        join bonus_programme p on p.hook = any((s.hooks)[1:s.default_count])
        left join bonus_lock l on l.task_id = t.id and l.round = t.claim_round
        left join bonus_completion c on c.task_id = t.id
        left join bonus_account worker_account on worker_account.account = t.worker
        left join bonus_account requester_account on requester_account.account = t.requester
        left join lateral (select * from bonus_epoch order by epoch desc limit 1) newest on true
        where s.id = t.hook_set
      ),
      array(select k::text from bonus_credit k where k.task_id = t.id order by k.rank, k.role),
      exists (select from bonus_skip k where k.task_id = t.id and k.role <> 'award'),
      array(
        select a::text from verdict_award v join bonus_account a on a.account = v.worker
        where v.task_id = t.id and v.decided_by = 'evaluator' order by v.award_index
      )
    )::text`
}

/**
 * Returns a map from task ids to the versions of the task details. Unknown tasks are absent. `position` is the position
 * of the database server that was read. The position says which changes the server's rows include (`positionText`).
 */
export async function listDetailVersions(
  sql: Queryable,
  ids: readonly Hex[],
): Promise<{ versions: Map<Hex, string>; position: string }> {
  const rows = await run<{ id: Hex | null; version: string | null; position: string }[]>(
    sql,
    statement`
      select t.id, t.version, ${positionText(statement)} as position
      from (values (1)) as always left join (
        select t.id, ${detailVersion(statement)} as version from task t
        ${versionTables(statement)}
        where t.id = any(${ids as Hex[]}::text[])
      ) t on true`,
  )
  const versions = new Map(
    rows.flatMap(({ id, version }) => (id === null || version === null ? [] : [[id, version] as const])),
  )
  return { versions, position: rows[0]?.position ?? '' }
}
