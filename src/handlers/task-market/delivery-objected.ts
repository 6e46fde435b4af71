import { ponder } from 'ponder:registry'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:DeliveryObjected', async ({ event, context }) => {
  const row = await getTask(context.db, event.args.taskId)
  // The subject of an objection is the worker of the delivery.
  await recordTaskEvent(context.db, row, {
    event,
    name: 'DeliveryObjected',
    subject: row.worker,
    patch: { objected: true },
  })
})
