import type { Hex } from 'viem'
import type { SubmissionVisibility, TaskVisibility } from '../visibilities.ts'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** The texts of a task, which never go on chain. */
export interface TaskTexts {
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
}

/**
 * The document behind a task's contentHash, schema `service-task-v1`. The salt (32 random bytes) keeps the texts from
 * being guessed by their hash, and makes each document's hash its own.
 */
export function toTaskDocument(texts: TaskTexts, salt: Hex): HashedDocument {
  return hashDocument({ ...texts, salt, schema: 'service-task-v1' })
}
