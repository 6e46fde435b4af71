import type { Database } from '../../../api/db/client.ts'
import { agentRows } from './agent-rows.ts'
import { entryRows } from './entry-rows.ts'
import { settlementRows } from './settlement-rows.ts'
import { taskRows } from './task-rows.ts'

/** Fills the tables of a test's database with consistent rows. */
export function createSeeder(sql: Database) {
  return Object.assign(taskRows(sql), entryRows(sql), settlementRows(sql), agentRows(sql))
}

export type Seeder = ReturnType<typeof createSeeder>
