import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

export interface ProofRow {
  id: Hex
  taskId: Hex
  worker: Address
  proofType: string
  metricValue: bigint
  submittedAt: bigint
  /** Of the task. */
  taskStatus: string
  /** An award of the task was given for this very proof. */
  isAwarded: boolean
  /** Its worker was rejected. */
  isRejected: boolean
  /** Null: no write of this service ever had these data. */
  proofData: string | null
  /** ERC-8004 id; null: a human. */
  agentId: bigint | null
}

/** What a list of proofs shows of them: whose, and where it starts. */
export interface ProofPage {
  /** Only these workers' proofs; absent: all. */
  workers?: Address[]
  /** After this one, in the task's order. */
  after?: Hex
  limit: number
}

/** A task's proofs in the order they were anchored. Each is a submission of the same id. */
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
  /** Null: no write of this service ever had these data. */
  proofData: string | null
}

/** What stands behind one proof of a task; null when none of that id is anchored. */
export async function findProofPreimage(sql: Queryable, taskId: Hex, proofId: Hex): Promise<ProofPreimageRow | null> {
  const rows = await sql<ProofPreimageRow[]>`
    select p.worker, p.proof_hash, p.transaction_hash,
      (select proof_data from service.proof_content where proof_id = p.id limit 1) as proof_data
    from proof p
    where p.id = ${proofId} and p.task_id = ${taskId}`
  return rows[0] ?? null
}

/**
 * Whether the hash of a proof is committed already, as a proof or as another deliverable of its worker, or a write of
 * it is under way.
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
