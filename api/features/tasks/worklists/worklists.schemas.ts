import { z } from 'zod'
import { phases } from '../../../../protocol/phase.ts'
import { taskModes } from '../../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../../protocol/rules/task-status.ts'
import { waitingReasons, waitingRoles } from '../../../domain/worklists/waiting.ts'
import { workIntents, workRoles } from '../../../domain/worklists/work-intents.ts'
import { workPriorities } from '../../../domain/worklists/work-items.ts'
import { amountOut, hashOut, timestampOut } from '../../../http/response-schemas.ts'
import { pendingActionSchema, taskSchema } from '../tasks.schemas.ts'

const section = z.array(taskSchema).meta({ description: 'Running tasks first, then the newest; at most 200.' })

/** The schema of the inbox. See the interface specification, "Agents, inbox, action queue". */
export const inboxSchema = z
  .object({
    asRequester: section,
    asWorker: section,
    invitedPrivateTasks: section,
  })
  .meta({ id: 'Inbox' })
export type Inbox = z.output<typeof inboxSchema>

const queuedTaskSchema = z
  .object({
    id: hashOut,
    referenceCode: z.string(),
    title: z.string().nullable().meta({ description: 'First line of the description, at most 80 characters.' }),
    mode: z.enum(taskModes),
    status: z.enum(taskStatuses),
    phase: z.enum(phases),
    reward: amountOut,
  })
  .meta({ id: 'QueuedTask' })

const count = z.int().min(0)

/** The schema of the action queue. See the interface specification, "Agents, inbox, action queue". */
export const actionQueueSchema = z
  .object({
    items: z.array(
      z
        .object({
          id: z.string().meta({ description: '`<taskId>:<role>:<intent>`.' }),
          task: queuedTaskSchema,
          role: z.enum(workRoles),
          intent: z.enum(workIntents),
          actions: z.array(pendingActionSchema).min(1).meta({ description: 'Each is possible now.' }),
          priority: z.enum(workPriorities),
          dueAt: timestampOut.nullable(),
          progress: z
            .object({ completed: count, total: count })
            .nullable()
            .meta({ description: 'Of `rate_workers`: how many of the awarded workers are rated.' }),
        })
        .meta({ id: 'WorkItem' }),
    ),
    total: count.meta({ description: 'Items in all, counted up to 1000.' }),
    urgentTotal: count.meta({ description: 'Urgent ones among them.' }),
    waiting: z.array(
      z
        .object({
          id: z.string().meta({ description: '`<taskId>:<role>:<reason>`.' }),
          task: queuedTaskSchema,
          role: z.enum(waitingRoles),
          reason: z.enum(waitingReasons),
          dueAt: timestampOut.nullable(),
        })
        .meta({ id: 'WaitingEntry' }),
    ),
  })
  .meta({ id: 'ActionQueue' })
export type ActionQueue = z.output<typeof actionQueueSchema>
