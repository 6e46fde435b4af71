import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { findTaskBonus, listBonusAwards, listBonusCredits } from '../../read-model/bonus.queries.ts'
import type { Read } from '../../read-model/replicas/public-reads.ts'
import { findPositionText } from '../../read-model/replicas/read-position.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { toBonusFields } from './bonus/task-bonus.ts'
import { toTaskDetail, toTasks } from './tasks.mapper.ts'
import { findTask, listAwards } from './tasks.queries.ts'
import type { TaskDetail } from './tasks.schemas.ts'

/**
 * A task in full, for any caller; null when there is none of that id. All rows are of one snapshot: a task that completes
 * meanwhile is never shown as completed without its awards. On connections that keep plans: all of them find rows by key.
 */
export async function findTaskDetail(deps: WriteDeps, taskId: Hex): Promise<TaskDetail | null> {
  return (await readTaskDetail(deps, deps.sql, taskId)).value
}

/** The same on a server of the caller's choice. */
export async function readTaskDetail(
  deps: Pick<WriteDeps, 'chain' | 'config'>,
  database: Database,
  taskId: Hex,
): Promise<Read<TaskDetail | null>> {
  const [[position, row, awards, bonusRow, bonusAwards, credits], head] = await Promise.all([
    database.byKey.begin('isolation level repeatable read read only', (sql) =>
      Promise.all([
        findPositionText(sql),
        findTask(sql, taskId),
        listAwards(sql, taskId),
        findTaskBonus(sql, taskId),
        listBonusAwards(sql, taskId),
        listBonusCredits(sql, taskId),
      ]),
    ),
    deps.chain.head(),
  ])
  if (row === null) return { value: null, position }
  const now = head.timestamp
  const [task] = toTasks([row], { now, serviceName: deps.config.SERVICE_NAME })
  if (task === undefined) return { value: null, position }
  const bonus = toBonusFields(row, { row: bonusRow, awards: bonusAwards, credits, now })
  return { value: toTaskDetail(task, row, { awards, bonus }), position }
}
