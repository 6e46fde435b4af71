import { ponder } from 'ponder:registry'
import { hookSet as hookSetTable } from '../../schema/hook.ts'
import { positionOf } from '../../store/event-position.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:HooksAttached', async ({ event, context }) => {
  const { taskId, hookSet, hooks, defaultCount, hookDataHash } = event.args
  const row = await getTask(context.db, taskId)
  await context.db
    .insert(hookSetTable)
    .values({ id: hookSet, hooks: [...hooks], defaultCount, ...positionOf(event) })
    .onConflictDoNothing()
  await recordTaskEvent(context.db, row, {
    event,
    name: 'HooksAttached',
    subject: row.requester,
    patch: { hookSet, hookDataHash },
  })
})

ponder.on('TaskMarket:HookCallFailed', async ({ event, context }) => {
  const { taskId, hook } = event.args
  const row = await getTask(context.db, taskId)
  await recordTaskEvent(context.db, row, { event, name: 'HookCallFailed', subject: hook })
})
