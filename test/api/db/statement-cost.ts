import { expect } from 'vitest'
import type { Database } from '../../../api/db/client.ts'

/** A part of a plan, as PostgreSQL reports it after it ran. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

export interface StatementCost {
  rows: number
  /** Tables that are read as a whole. */
  whole: string[]
}

/** Rows that a statement reads from tables as it runs once. */
export async function costOf(sql: Database, statement: PromiseLike<unknown>): Promise<StatementCost> {
  const [row] = await sql<
    { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  >`explain (analyze, format json) ${statement as never}`
  const plan = (row as unknown as { queryPlan?: [{ Plan: PlanNode }] } | undefined)?.queryPlan ?? row?.['QUERY PLAN']
  return costOfPlan(plan?.[0].Plan ?? expect.fail('no plan'))
}

/** Rows that a part of a plan read, with those below it. */
export function costOfPlan(plan: PlanNode): StatementCost {
  const below = (plan.Plans ?? []).map(costOfPlan)
  const relation = plan['Relation Name']
  const read = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  return {
    rows: below.reduce((sum, { rows }) => sum + rows, relation === undefined ? 0 : read),
    whole: [...(plan['Node Type'] === 'Seq Scan' ? [relation ?? ''] : []), ...below.flatMap(({ whole }) => whole)],
  }
}
