import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

export interface ProofRow {
  id: Hex
  taskId: Hex
  worker: Address
  proofType: string
  metricValue: bigint
  submittedAt: bigint
  /** The status of the proof's task. */
  taskStatus: string
  /** True if an award of the task was given for this proof. */
  isAwarded: boolean
  /** True if the worker of the proof was rejected. */
  isRejected: boolean
  /** The data of the proof, or null if the proof was made without this service. */
  proofData: string | null
  /** The worker's ERC-8004 id, or null if the worker has none. */
  agentId: bigint | null
}

/** The filter, position and size of a page of proofs. */
export interface ProofPage {
  /** The workers whose proofs are listed. Absent to list the proofs of all workers. */
  workers?: Address[]
  /** The id of the last proof of the previous page. */
  after?: Hex
  limit: number
}

/**
 * Lists a task's proofs in the order in which they were anchored on chain. Each proof also has a row in the table
 * `submission`, under the same id.
 */
export async function listProofs(
  sql: Queryable,
  taskId: Hex,
  { workers, after, limit }: ProofPage,
): Promise<ProofRow[]> {
  return await sql<ProofRow[]>`
    select p.id, p.task_id, p.worker, p.proof_type, p.metric_value, p.submitted_at, t.status as task_status,
      exists (select from award where task_id = p.task_id and worker = p.worker and deliverable = p.proof_hash) as is_awarded,
      s.rejected_at is not null as is_rejected,
      (select proof_data from service.proof_content where proof_id = p.id limit 1) as proof_data,
      a.agent_id
    from proof p
    join task t on t.id = p.task_id
    join submission s on s.id = p.id
    left join agent a on a.address = p.worker
    where p.task_id = ${taskId}
      ${workers === undefined ? sql`` : sql`and p.worker = any(${workers}::text[])`}
      ${
        after === undefined
          ? sql``
          : sql`and p.proof_index > (select proof_index from proof where id = ${after} and task_id = ${taskId})`
      }
    order by p.proof_index
    limit ${limit}`
}

export interface ProofPreimageRow {
  worker: Address
  proofHash: Hex
  transactionHash: Hex
  /** The data of the proof, or null if the proof was made without this service. */
  proofData: string | null
}

/** Returns the data and hash of a task's proof. Returns null if the task has no anchored proof with this id. */
export async function findProofPreimage(sql: Queryable, taskId: Hex, proofId: Hex): Promise<ProofPreimageRow | null> {
  const rows = await sql<ProofPreimageRow[]>`
    select p.worker, p.proof_hash, p.transaction_hash,
      (select proof_data from service.proof_content where proof_id = p.id limit 1) as proof_data
    from proof p
    where p.id = ${proofId} and p.task_id = ${taskId}`
  return rows[0] ?? null
}

/**
 * Returns true if the proof is committed on chain or is being relayed. A submission of the worker with the same hash
 * counts as the proof, because it has the same id.
 */
export async function isProofCommitted(sql: Queryable, proofId: Hex): Promise<boolean> {
  const [row] = await sql<{ committed: boolean }[]>`
    select exists (select from submission where id = ${proofId}) or exists (
      select from service.proof_content c
      join service.intents i on i.id = c.intent_id
      where c.proof_id = ${proofId} and i.status in ('recorded', 'broadcast', 'completed')
    ) as committed`
  return row?.committed ?? false
}
