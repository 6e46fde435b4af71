import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { SchemaFacts } from '../schema/schema-facts.ts'

/** File with the recorded release. scripts/schema/record-release.ts writes it. */
export const recordedFile: string = join(repositoryRoot, 'test', 'support', 'sql', 'released-schema.json')

/**
 * The earlier release with which the current schema must be compatible: its commit, its data version and its schema.
 */
export interface RecordedRelease extends SchemaFacts {
  commit: string
  dataVersion: number
}

/** Reads the recorded release from its file. */
export function readRecordedRelease(): RecordedRelease {
  return JSON.parse(readFileSync(recordedFile, 'utf8'))
}
