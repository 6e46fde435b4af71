import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

export interface PitchRow {
  id: Hex
  taskId: Hex
  worker: Address
  submittedAt: bigint
  /** The status of the task. */
  taskStatus: string
  /** The selected worker; null: none. */
  selectedWorker: Address | null
  /** The text; null: no write of this service ever had it. */
  pitchText: string | null
  /** Seconds; null when the transaction that first anchored the pitch stated none. */
  estimatedDuration: bigint | null
  /** The ERC-8004 id; null: a human. */
  agentId: bigint | null
  completedTasks: number | null
  ratedTasks: number | null
  totalStars: number | null
}

/** A page of pitches. */
export interface PitchPage {
  /** The id before the page, in the task's order. */
  after?: Hex
  limit: number
}

/**
 * Lists a task's pitches in the order of their anchoring, with their workers' records. All writes of a pitch have one
 * text; other fields are those of the anchoring write.
 */
export async function listPitches(sql: Queryable, taskId: Hex, { after, limit }: PitchPage): Promise<PitchRow[]> {
  return await sql<PitchRow[]>`
    select p.id, p.task_id, p.worker, p.submitted_at, t.status as task_status, t.worker as selected_worker,
      (select pitch_text from service.pitch_content where pitch_id = p.id limit 1) as pitch_text,
      (
        select content.estimated_duration
        from relayed_intent relayed
        join service.intents i on i.chain_intent_id = relayed.intent_id
        join service.pitch_content content on content.intent_id = i.id and content.pitch_id = p.id
        where relayed.transaction_hash = p.transaction_hash
        limit 1
      ) as estimated_duration,
      a.agent_id, a.completed_tasks, a.rated_tasks, a.total_stars
    from pitch p
    join task t on t.id = p.task_id
    left join agent a on a.address = p.worker
    where p.task_id = ${taskId}
      ${
        after === undefined
          ? sql``
          : sql`and p.pitch_index > (select pitch_index from pitch where id = ${after} and task_id = ${taskId})`
      }
    order by p.pitch_index
    limit ${limit}`
}

export interface PitchPreimageRow {
  worker: Address
  pitchHash: Hex
  transactionHash: Hex
  /** The text; null: no write of this service ever had it. */
  pitchText: string | null
}

/** Returns the preimage of a task's pitch; null when none of that id is anchored. */
export async function findPitchPreimage(sql: Queryable, taskId: Hex, pitchId: Hex): Promise<PitchPreimageRow | null> {
  const rows = await sql<PitchPreimageRow[]>`
    select p.worker, p.pitch_hash, p.transaction_hash,
      (select pitch_text from service.pitch_content where pitch_id = p.id limit 1) as pitch_text
    from pitch p
    where p.id = ${pitchId} and p.task_id = ${taskId}`
  return rows[0] ?? null
}

/** Returns true if a write stored a pitch of this id for the task, even if it failed. */
export async function hasPitchContent(sql: Queryable, taskId: Hex, pitchId: Hex): Promise<boolean> {
  const rows = await sql`
    select from service.pitch_content where pitch_id = ${pitchId} and task_id = ${taskId} limit 1`
  return rows.length > 0
}
