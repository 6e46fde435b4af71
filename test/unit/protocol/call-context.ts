import type { CallDeployment, Facts } from '../../../protocol/operation.ts'
import vectors from '../../../protocol/vectors/vectors.json' with { type: 'json' }

const { deployment, facts, actor } = vectors.calls

/** The deployment, facts and actor of the calls in the vectors. */
export const callContext = {
  deployment: { ...deployment, sponsoredTasksHook: `0x${'06'.repeat(20)}` } as CallDeployment,
  facts: {
    ...facts,
    reward: BigInt(facts.reward),
    stake: BigInt(facts.stake),
    raterAgentId: BigInt(facts.raterAgentId),
    workerAgentId: BigInt(facts.workerAgentId),
    vault: { ...facts.vault, epoch: BigInt(facts.vault.epoch) },
  } as Facts,
  actor: actor as `0x${string}`,
}
