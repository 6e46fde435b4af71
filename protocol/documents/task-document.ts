import type { Hex } from 'viem'
import type { SubmissionVisibility, TaskVisibility } from '../visibilities.ts'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** The texts of a task. They are never on chain. */
export interface TaskTexts {
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
}

/**
 * Builds the document of a task's texts, in the schema `service-task-v1`. The hash of the document is the task's
 * `contentHash`.
 * Example: `{"description":"Write a haiku.","metricDescription":null,...}` has the hash `0x266e..`.
 * @param salt 32 random bytes, which prevent guessing the texts from the hash and make every document's hash unique
 */
export function toTaskDocument(texts: TaskTexts, salt: Hex): HashedDocument {
  return hashDocument({ ...texts, salt, schema: 'service-task-v1' })
}
