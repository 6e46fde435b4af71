import { isTerminal, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { ProofRow } from './proofs.queries.ts'
import type { Proof, ProofStatus } from './proofs.schemas.ts'

/** Returns the public form of a proof. */
export function toProof(row: ProofRow): Proof {
  return {
    id: row.id,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    proofData: row.proofData ?? '',
    proofType: row.proofType as Proof['proofType'],
    metricValue: toAmount(row.metricValue),
    status: statusOf(row),
    submissionId: row.id,
    submittedAt: toTimestamp(row.submittedAt),
    workerAgentId: row.agentId?.toString() ?? null,
  }
}

function statusOf({ isAwarded, isRejected, taskStatus }: ProofRow): ProofStatus {
  if (isAwarded) return 'verified'
  return isRejected || isTerminal(parseTaskStatus(taskStatus)) ? 'rejected' : 'pending'
}
