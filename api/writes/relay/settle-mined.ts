import { parseEventLogs, zeroAddress } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { ChainUnavailable, type MinedTransaction } from '../../chain/chain.ts'
import type { AttemptLeg } from '../../db/attempts.queries.ts'
import { completeIntent, type MinedAt, noteMined, requeueIntent } from '../../db/relay.queries.ts'
import type { Deps } from '../../deps.ts'
import type { BoundIntent } from '../intent.ts'
import { actedFor } from './acted-for.ts'
import { applyDecision, decide } from './decide.ts'
import { encodeRelay } from './encode-relay.ts'
import type { RelayContext } from './relay-context.ts'

/** A transaction of an intent, mined. `leg` is null when only its hash is known to be the intent's. */
export interface MinedAttempt {
  leg: AttemptLeg | null
  mined: MinedTransaction
}

/** Takes an intent on its way to what its mined transaction made of it. */
export async function settleMined(relay: RelayContext, intent: BoundIntent, attempt: MinedAttempt): Promise<void> {
  const { deps } = relay
  const { leg, mined } = attempt
  if (leg === 'noop') return await settleFreedNonce(deps, intent)
  if (mined.succeeded) return await complete(relay, intent, mined)
  const reason = await explainRevert(deps, intent)
  const decision = await decide(deps, intent, reason)
  await applyDecision(deps.sql, intent, { decision, mined: minedAt(mined) })
  deps.log.info({ intentId: intent.id, hash: mined.hash, reason, decision }, 'a relayed call reverted')
}

async function complete(relay: RelayContext, intent: BoundIntent, mined: MinedTransaction): Promise<void> {
  const { deps, writes } = relay
  if (!consumedIntent(deps, intent, mined)) {
    throw new ChainUnavailable(`the node shows ${mined.hash} as a success without the intent it consumes`)
  }
  deps.writes.reach('after-mined')
  const write = writes.get(intent.operation)
  if (write === undefined) throw new Error(`there is no write named ${intent.operation}`)
  try {
    const { id, facts } = intent
    const result = write.result({
      intentId: id,
      txHash: mined.hash,
      target: intent.target,
      logs: mined.logs,
      actor: intent.initiator ?? zeroAddress,
      facts,
    })
    await deps.sql.begin(async (tx) => {
      await completeIntent(tx, id, { mined: minedAt(mined), taskId: result.taskId ?? null, result: result.body })
      deps.writes.reach('before-complete-commit')
    })
    deps.writes.reach('after-complete')
    deps.log.info({ intentId: id, hash: mined.hash, operation: intent.operation }, 'completed')
  } catch (error) {
    // On chain it is done; only the recording is outstanding, and the next pass tries it again.
    await noteMined(deps.sql, intent.id, minedAt(mined))
    throw error
  }
}

/** A success counts only with the forwarder's own word that it consumed this very intent. */
function consumedIntent({ deployment }: Deps, intent: BoundIntent, mined: MinedTransaction): boolean {
  return parseEventLogs({ abi: paymentForwarderAbi, eventName: 'IntentRelayed', logs: [...mined.logs] }).some(
    (log) => log.address.toLowerCase() === deployment.forwarder && actedFor(intent, log.args),
  )
}

/** The receipt of a revert has no reason: running the call again mostly shows it. */
async function explainRevert(deps: Deps, intent: BoundIntent): Promise<string> {
  const simulation = await simulateNow(deps, intent)
  return simulation.outcome === 'reverted' ? simulation.revert.message : 'the call reverted on chain'
}

/** A no-op took the intent's nonce, because the call could not act any more. Maybe it can again. */
async function settleFreedNonce(deps: Deps, intent: BoundIntent): Promise<void> {
  const simulation = await simulateNow(deps, intent)
  if (simulation.outcome === 'ok') return await requeueIntent(deps.sql, intent.id, intent.leg)
  const decision = await decide(deps, intent, simulation.revert.message)
  await applyDecision(deps.sql, intent, { decision, mined: null })
  deps.log.info({ intentId: intent.id, decision }, 'an intent ended after its nonce was freed')
}

function simulateNow({ chain, deployment, writes }: Deps, intent: BoundIntent) {
  return chain.simulate({ from: writes.relayers[0].address, to: deployment.forwarder, data: encodeRelay(intent) })
}

function minedAt({ hash, blockNumber, blockHash }: MinedTransaction): MinedAt {
  return { txHash: hash, blockNumber, blockHash }
}
