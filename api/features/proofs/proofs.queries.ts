import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

export interface ProofRow {
  id: Hex
  taskId: Hex
  worker: Address
  proofType: string
  metricValue: bigint
  submittedAt: bigint
  /** The status of the task. */
  taskStatus: string
  /** True if an award of the task was given for this proof. */
  isAwarded: boolean
  /** True if its worker was rejected. */
  isRejected: boolean
  /** The data; null: no write of this service ever had them. */
  proofData: string | null
  /** The ERC-8004 id; null: a human. */
  agentId: bigint | null
}

/** A page of proofs. */
export interface ProofPage {
  /** The workers whose proofs are listed; absent: all. */
  workers?: Address[]
  /** The id before the page, in the task's order. */
  after?: Hex
  limit: number
}

/** Lists a task's proofs in the order of their anchoring. Each is a submission of the same id. */
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
  /** The data; null: no write of this service ever had them. */
  proofData: string | null
}

/** Returns the preimage of a task's proof; null when none of that id is anchored. */
export async function findProofPreimage(sql: Queryable, taskId: Hex, proofId: Hex): Promise<ProofPreimageRow | null> {
  const rows = await sql<ProofPreimageRow[]>`
    select p.worker, p.proof_hash, p.transaction_hash,
      (select proof_data from service.proof_content where proof_id = p.id limit 1) as proof_data
    from proof p
    where p.id = ${proofId} and p.task_id = ${taskId}`
  return rows[0] ?? null
}

/**
 * Returns true if the hash of a proof is committed, as a proof or another deliverable of its worker, or is being
 * relayed.
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
