import { z } from 'zod'
import { hashOut, timestampOut } from '../../http/response-schemas.ts'
import { artifactSchema } from '../artifact.schemas.ts'

/** Spec, "Other records": Agent work item. */
export const workItemSchema = z
  .object({
    taskId: hashOut,
    taskTitle: z.string().nullable().meta({
      description: 'First line of the description, at most 80 characters. Null: it has none, or none for the caller.',
    }),
    completedAt: timestampOut,
    artifacts: z
      .array(artifactSchema)
      .meta({ description: 'Of the awarded deliverable, as far as the caller sees it.' }),
  })
  .meta({ id: 'AgentWorkItem' })

export type WorkItem = z.output<typeof workItemSchema>
