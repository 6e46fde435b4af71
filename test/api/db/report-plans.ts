import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { costOfPlan, type PlanNode } from './statement-cost.ts'

/** A statement as PostgreSQL ran it. */
export interface ReportedPlan {
  text: string
  /** Indexes in its plan. */
  indexes: string[]
  /** Tables that its plan reads as a whole. */
  whole: string[]
  /** Rows that it read from tables. */
  rows: number
}

/**
 * Opens a database that reports the plan of each statement that is sent to it, and of each that it runs itself for one:
 * statements of triggers, and checks of foreign keys. PostgreSQL's module `auto_explain` reports them as notices.
 * @param url of a superuser: other logins may not load the module
 */
export async function reportPlans(
  url: string,
): Promise<{ sql: Database; plansOf: (work: () => PromiseLike<unknown>) => Promise<ReportedPlan[]> }> {
  await switchOn(url)
  let plans: ReportedPlan[] = []
  const onNotice = ({ message = '' }: { message?: string }) => {
    const [, plan] = message.split(' ms  plan:\n')
    if (plan !== undefined) plans.push(toPlan(JSON.parse(plan)))
  }
  const sql = connectDatabase({ url, max: 2, onNotice })
  return {
    sql,
    plansOf: async (work) => {
      plans = []
      await work()
      return plans
    },
  }
}

async function switchOn(url: string): Promise<void> {
  const sql = connectDatabase({ url, max: 1 })
  const name = new URL(url).pathname.slice(1)
  await sql`alter database ${sql(name)} set session_preload_libraries = 'auto_explain'`
  await sql`alter database ${sql(name)} set auto_explain.log_min_duration = 0`
  await sql`alter database ${sql(name)} set auto_explain.log_level = 'notice'`
  await sql`alter database ${sql(name)} set auto_explain.log_format = 'json'`
  await sql`alter database ${sql(name)} set auto_explain.log_analyze = on`
  await sql`alter database ${sql(name)} set auto_explain.log_timing = off`
  await sql`alter database ${sql(name)} set auto_explain.log_nested_statements = on`
  await sql.end()
}

function toPlan({ 'Query Text': text, Plan: plan }: { 'Query Text': string; Plan: PlanNode }): ReportedPlan {
  const nodes = listNodes(plan)
  return {
    text,
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    ...costOfPlan(plan),
  }
}

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}
