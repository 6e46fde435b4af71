import type { Database } from '../db/client.ts'
import type { SumsRound, TasksRound } from '../read-model/books.queries.ts'

interface States {
  sums: SumsRound
  tasks: TasksRound
}

/**
 * A part of the audit (`sums` or `tasks`) that a process has claimed. Only the process with the claim compares the
 * part.
 */
export interface Claimed<State> {
  claim: string
  /** The state that was stored by the previous round over the claimed part. Null before the first round. */
  state: State | null
}

/** The age of a claim, in seconds, at which another process may claim the part of the audit. */
const CLAIM_SECONDS = 90

/** Claims a due part of the audit. Returns null if the part is not due, or if another process has a claim. */
export async function claimAudit<Part extends keyof States>(
  sql: Database,
  part: Part,
): Promise<Claimed<States[Part]> | null> {
  const [row] = await sql<Claimed<States[Part]>[]>`
    update service.audits set claim = gen_random_uuid(), due_at = now() + ${CLAIM_SECONDS} * interval '1 second'
    where part = ${part} and due_at <= now()
    returning claim, state`
  return row ?? null
}

/**
 * Stores the result of a comparison round over one part of the audit (`sums` or `tasks`). If another process has
 * claimed the same part in the meantime, nothing is stored.
 */
export async function storeAudit<Part extends keyof States>(
  sql: Database,
  part: Part,
  round: { claim: string; state: States[Part]; pauseMs: number },
): Promise<void> {
  await sql`
    update service.audits set state = ${sql.json(round.state as never)}, compared_at = now(),
      due_at = now() + ${round.pauseMs} * interval '1 millisecond'
    where part = ${part} and claim = ${round.claim}`
}

/**
 * Ends the claim of a part of the audit if the round has no result. A round has no result if the indexer's rows are
 * incomplete, or if the node did not answer a question about the rows' block. The part is due again after `pauseMs`
 * milliseconds.
 */
export async function releaseAudit(
  sql: Database,
  part: keyof States,
  { claim, pauseMs }: { claim: string; pauseMs: number },
): Promise<void> {
  await sql`
    update service.audits set due_at = now() + ${pauseMs} * interval '1 millisecond'
    where part = ${part} and claim = ${claim}`
}
