import type { Hex } from 'viem'
import type { SubmissionVisibility, TaskVisibility } from '../visibilities.ts'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** The texts of a task, which never appear on chain. */
export interface TaskTexts {
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
}

/**
 * Builds the document behind a task's contentHash, schema `service-task-v1`. The salt (32 random bytes) prevents guessing the
 * texts by their hash, and makes each document's hash unique.
 * Example: `{"description":"Write a haiku.","metricDescription":null,...}` has the hash `0x266e..`.
 */
export function toTaskDocument(texts: TaskTexts, salt: Hex): HashedDocument {
  return hashDocument({ ...texts, salt, schema: 'service-task-v1' })
}
