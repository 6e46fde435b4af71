import type { Hex } from 'viem'
import { findTaskBonus, listBonusAwards, listBonusCredits } from '../../read-model/bonus.queries.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { toBonusFields } from './task-bonus.ts'
import { toTasks } from './task-pages.ts'
import { toTaskDetail } from './tasks.mapper.ts'
import { findTask, listAwards } from './tasks.queries.ts'
import type { TaskDetail } from './tasks.schemas.ts'

/**
 * A task in full, for any caller; null when there is none of that id. All rows are of one snapshot: a task that completes
 * meanwhile is never shown as completed without its awards. On connections that keep plans: all five find rows by key.
 */
export async function findTaskDetail(deps: WriteDeps, taskId: Hex): Promise<TaskDetail | null> {
  const [[row, awards, bonusRow, bonusAwards, credits], head] = await Promise.all([
    deps.sql.byKey.begin('isolation level repeatable read read only', (sql) =>
      Promise.all([
        findTask(sql, taskId),
        listAwards(sql, taskId),
        findTaskBonus(sql, taskId),
        listBonusAwards(sql, taskId),
        listBonusCredits(sql, taskId),
      ]),
    ),
    deps.chain.head(),
  ])
  if (row === null) return null
  const now = head.timestamp
  const [task] = toTasks([row], { now, serviceName: deps.config.SERVICE_NAME })
  if (task === undefined) return null
  const bonus = toBonusFields(row, { row: bonusRow, awards: bonusAwards, credits, now })
  return toTaskDetail(task, row, { awards, bonus })
}
