import type { Address } from 'viem'
import type { Fees, MinedAt } from '../../chain/chain.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { REFUND_GAS } from '../../intents/refund-limits.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { findRefund } from '../../payments/spent.ts'
import { chooseRefundStep } from './choose-refund-step.ts'
import { gasLimitFor } from './fees.ts'
import { findRefundLoss } from './refund-loss.ts'
import type { RelayerDeps } from './relay-context.ts'
import { type RefundStep, type RelayJob, refundJob } from './relay-job.ts'

/**
 * The next step of a pending refund. `wait`: the announced refund can be paid from `notBefore` (Unix seconds).
 * `finding` and `why`: explanations for operators.
 */
export type RefundPlan =
  | { next: 'sign'; job: RelayJob; gasLimit: bigint; fees: Fees }
  | { next: 'wait'; notBefore: bigint; secondsLeft: bigint }
  | { next: 'finish'; refund: MinedAt }
  | { next: 'defer'; why: string }
  | { next: 'fail'; finding: string }

/**
 * Plans the next transaction of a refund with a simulation. When the transaction is mined, the payer's contract wallet
 * may use more gas than in the simulation. The gas limit therefore has a fixed maximum, and its cost must not exceed
 * the worth of the refunded amount (`findRefundLoss`).
 * @throws ChainUnavailable
 */
export async function planRefund(deps: RelayerDeps, intent: BoundIntent, from: Address): Promise<RefundPlan> {
  const refundStep = await chooseRefundStep(deps, intent)
  if (refundStep.step === 'wait') return { ...refundStep, next: 'wait' }
  if (refundStep.step === 'leave') return { next: 'fail', finding: refundStep.finding }
  const plan = await planStep(deps, intent, { from, refundStep })
  if (plan !== 'void') return plan
  const newPlan = await planStep(deps, intent, { from, refundStep: { step: 'announce' } })
  return newPlan === 'void' ? { next: 'defer', why: 'the announced refund is void' } : newPlan
}

/**
 * Plans one step of a refund.
 * @returns the plan; `void` if the relayer of an announced refund is no longer authorized, so the refund must be
 * announced again
 */
async function planStep(
  deps: RelayerDeps,
  intent: BoundIntent,
  { from, refundStep }: { from: Address; refundStep: RefundStep },
): Promise<RefundPlan | 'void'> {
  const job = refundJob(intent, deps.deployment, refundStep)
  const call = { from, ...job.call }
  const limit = intent.refundGasLimit ?? REFUND_GAS
  const simulation = await simulateCall(deps, { ...call, gasLimit: limit })
  if (simulation.outcome === 'reverted') {
    const { message, errorName } = simulation.revert
    if (errorName === 'RefundVoid') return 'void'
    // A wallet that runs out of gas in its check looks like a refusal, but more gas would help.
    const unbounded = await simulateCall(deps, { ...call, gasLimit: null })
    if (unbounded.outcome === 'ok') {
      return { next: 'fail', finding: `giving it back takes ${unbounded.gas} gas, more than the ${limit} allowed` }
    }
    const refund = await findRefund(deps, refundPaymentOf(intent), { fromBlock: fromBlockOf(intent) })
    return refund === null ? { next: 'defer', why: message } : { next: 'finish', refund }
  }
  const gasLimit = atMost(limit, gasLimitFor(simulation.gas))
  const fees = await deps.chain.estimateFeesPerGas()
  const finding = await findRefundLoss(deps, intent, { gasLimit, fees })
  return finding === null ? { next: 'sign', job, gasLimit, fees } : { next: 'fail', finding }
}

function atMost(limit: bigint, gas: bigint): bigint {
  if (gas > limit) return limit
  return gas
}
