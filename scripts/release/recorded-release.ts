import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { SchemaFacts } from '../schema/schema-facts.ts'

/** Written by scripts/schema/record-release.ts. */
export const recordedFile: string = join(repositoryRoot, 'test', 'support', 'sql', 'released-schema.json')

/** The release that this one is held to: its commit, its data version and its schema. */
export interface RecordedRelease extends SchemaFacts {
  commit: string
  dataVersion: number
}

/** Reads the release that is recorded. */
export function readRecordedRelease(): RecordedRelease {
  return JSON.parse(readFileSync(recordedFile, 'utf8'))
}
