import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

export interface PitchRow {
  id: Hex
  taskId: Hex
  worker: Address
  submittedAt: bigint
  /** The status of the pitch's task. */
  taskStatus: string
  /** The task's selected worker, or null if the task has none. */
  selectedWorker: Address | null
  /** The text of the pitch, or null if the pitch was made without this service. */
  pitchText: string | null
  /** The time in seconds that the worker expects to need. Null if the write that anchored the pitch stated none. */
  estimatedDuration: bigint | null
  /** The worker's ERC-8004 id, or null if the worker has none. */
  agentId: bigint | null
  completedTasks: number | null
  ratedTasks: number | null
  totalStars: number | null
}

/** The position and size of a page of pitches. */
export interface PitchPage {
  /** The id of the last pitch of the previous page. */
  after?: Hex
  limit: number
}

/** Lists a task's pitches in the order in which they were anchored on chain, with the records of their workers. */
export async function listPitches(sql: Queryable, taskId: Hex, { after, limit }: PitchPage): Promise<PitchRow[]> {
  // Several writes may contain the same pitch. All have the same text. The estimated duration is that of the write that
  // anchored the pitch.
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
  /** The text of the pitch, or null if the pitch was made without this service. */
  pitchText: string | null
}

/** Returns the text and hash of a task's pitch. Returns null if the task has no anchored pitch with this id. */
export async function findPitchPreimage(sql: Queryable, taskId: Hex, pitchId: Hex): Promise<PitchPreimageRow | null> {
  const rows = await sql<PitchPreimageRow[]>`
    select p.worker, p.pitch_hash, p.transaction_hash,
      (select pitch_text from service.pitch_content where pitch_id = p.id limit 1) as pitch_text
    from pitch p
    where p.id = ${pitchId} and p.task_id = ${taskId}`
  return rows[0] ?? null
}

/** Returns true if a write of this service stored a pitch with this id for the task. A failed write counts as well. */
export async function hasPitchContent(sql: Queryable, taskId: Hex, pitchId: Hex): Promise<boolean> {
  const rows = await sql`
    select from service.pitch_content where pitch_id = ${pitchId} and task_id = ${taskId} limit 1`
  return rows.length > 0
}
