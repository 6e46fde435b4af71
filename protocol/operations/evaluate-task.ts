import { zeroHash } from 'viem'
import { wholeReward } from '../decisions.ts'
import { exampleEvidenceHash, exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import { MAX_SCORE } from '../limits.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import type { Verdict } from '../rules/verdict.ts'
import { type AwardRequest, exampleAwards, normaliseAwards, toContractVerdict } from './verdict-awards.ts'

interface EvaluateTaskRequest {
  taskId: string
  verdict: Verdict
  /** Score of the work, 0 to 1000; 1000 unless given. */
  score?: number | undefined
  /** The evaluator's confidence, 0 to 1000; 1000 unless given. */
  confidence?: number | undefined
  evidenceHash?: string | undefined
  awards?: readonly AwardRequest[] | undefined
}

/**
 * Issues the evaluator's verdict on a task (interface specification, "Evaluator flow").
 * Example: the call `evaluate(taskId, verdict, score, confidence, evidenceHash, awards)` of the market with the verdict
 * 3 (partial), the score 900 and the confidence 800.
 */
export const evaluateTask = marketCall('evaluate')({
  name: 'tasks.evaluate',
  operationId: 'evaluateTask',
  path: '/tasks/{taskId}/evaluate',
  action: 'evaluate',
  modes: ['paid'],
  facts: ['reward'],
  normalise: (request: EvaluateTaskRequest) => ({
    taskId: toBytes(request.taskId),
    verdict: request.verdict,
    score: request.score ?? MAX_SCORE,
    confidence: request.confidence ?? MAX_SCORE,
    evidenceHash: toBytes(request.evidenceHash ?? zeroHash),
    awards: normaliseAwards(request.awards ?? []),
  }),
  args: ({ taskId, verdict, score, confidence, evidenceHash, awards }) => [
    ...([taskId, toContractVerdict(verdict), score, confidence, evidenceHash, awards] as const),
  ],
  price: actionFee,
  // A rejection takes all of the reward from the workers, a partial verdict the part that it does not award.
  decides: wholeReward,
})

export const evaluateTaskListing: ListingOf<typeof evaluateTask> = {
  summary: 'Judge the work of a task',
  description:
    'Paid, evaluator only: a delivery before the evaluatorDeadline, a contest while a submission stands, until its ' +
    'expiry and the evaluation window after it. The evaluator’s fee is paid with the verdict, whatever it says; the ' +
    'awards once no worker can appeal any more.',
  gas: { typicalGas: 300_000, gasCeiling: 500_000, typicalAwardGas: 60_000, ceilingAwardGas: 80_000 },
  allowance: ({ awards }) => ({ awards: Math.max(awards.length, 1) }),
  example: {
    taskId: exampleTaskId,
    verdict: 'partial',
    score: 900,
    confidence: 800,
    evidenceHash: exampleEvidenceHash,
    awards: exampleAwards,
  },
}
