import type { Hex } from 'viem'
import { isTerminal } from '../../../protocol/rules/task-status.ts'
import type { Database } from '../../db/client.ts'
import type { TimeWindow } from '../../domain/actions/action-rule.ts'
import { viewIntervalAt } from '../../domain/view-interval.ts'
import { findTaskBonus, listBonusAwards, listBonusCredits, type TaskBonusRow } from '../../read-model/bonus.queries.ts'
import type { Read } from '../../read-model/replicas/public-reads.ts'
import { findPositionText } from '../../read-model/replicas/read-position.ts'
import { toSnapshot } from '../../read-model/task-snapshot.queries.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { toBonusFields } from './bonus/task-bonus.ts'
import type { TaskRow } from './task-row.ts'
import { toTaskDetail, toTasks } from './tasks.mapper.ts'
import { findTask, listAwards } from './tasks.queries.ts'
import type { TaskDetail } from './tasks.schemas.ts'

/**
 * Returns the full record of a task, or null if the task does not exist. The record is the same for every caller. All
 * rows are read from one snapshot, so a completed task is always shown with its awards.
 */
export async function findTaskDetail(deps: WriteDeps, taskId: Hex): Promise<TaskDetail | null> {
  return (await readTaskDetail(deps, deps.sql, taskId)).value?.detail ?? null
}

/**
 * A task's full record with its version and its interval of validity. By the version and the interval, a later request
 * finds whether the record has changed.
 */
export interface ReadDetail {
  detail: TaskDetail
  /**
   * The `detailVersion` of the rows in the same snapshot. Null while the service does not have the texts of the task:
   * `detailVersion` does not change when the texts arrive.
   */
  version: string | null
  /**
   * The range of block times for which the record is valid. If the block time is in this range and the `version` is
   * unchanged, the record is unchanged.
   */
  interval: TimeWindow
}

/** Reads the full record of a task from a given database server. */
export async function readTaskDetail(
  deps: Pick<WriteDeps, 'chain' | 'config'>,
  database: Database,
  taskId: Hex,
): Promise<Read<ReadDetail | null>> {
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
  const detail = toTaskDetail(task, row, { awards, bonus })
  const version = row.description === null ? null : row.detailVersion
  return { value: { detail, version, interval: intervalOf(row, bonusRow, now) }, position }
}

/**
 * Returns the range of block times in which a task's full record remains the same. If the record contains a bonus
 * estimate, the range is only the block time `now`, because the estimate changes with the ages of wallets and with the
 * bonus epoch.
 */
function intervalOf(row: TaskRow, bonusRow: TaskBonusRow | null, now: bigint): TimeWindow {
  const hasBonusNow = bonusRow !== null && row.worker !== null && !isTerminal(row.status)
  return hasBonusNow ? { from: now, until: now + 1n } : viewIntervalAt(toSnapshot(row), now)
}
