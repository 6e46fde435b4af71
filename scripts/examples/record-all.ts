import type { RecordingContext } from './recording-context.ts'
import { recordAssignments } from './recordings/assignments.ts'
import { recordDeadlines } from './recordings/deadlines.ts'
import { recordPrivateTask } from './recordings/private-tasks.ts'
import { recordService } from './recordings/service.ts'
import { recordSubmissions } from './recordings/submissions.ts'
import { recordTasks } from './recordings/tasks.ts'
import { recordVaults } from './recordings/vaults.ts'
import { recordWallets } from './recordings/wallets.ts'

/** Performs every operation once, on a stack with the demo tasks. The order is fixed: ids and totals depend on it. */
export async function recordAll(context: RecordingContext): Promise<void> {
  await recordService(context)
  await recordTasks(context)
  await recordSubmissions(context)
  await recordAssignments(context)
  await recordWallets(context)
  await recordPrivateTask(context)
  await recordVaults(context)
  await recordDeadlines(context)
}
