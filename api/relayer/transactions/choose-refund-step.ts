import { type AbiEvent, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { findPrepaidLeft } from '../../payments/prepaid-limit.ts'
import type { RelayerDeps } from './relay-context.ts'
import type { RefundStep } from './relay-job.ts'

const abi = paymentForwarderAbi
const refundAnnounced = getAbiItem({ abi, name: 'RefundAnnounced' }) as AbiEvent
const refundVetoed = getAbiItem({ abi, name: 'RefundVetoed' }) as AbiEvent

/**
 * The next step of a refund. `wait`: the announced refund can be paid from `notBefore` (Unix seconds). `leave`: the
 * refund is left to an operator. The steps `wait` and `leave` send no transaction now.
 */
export type NextRefundStep =
  | RefundStep
  | { step: 'wait'; notBefore: bigint; secondsLeft: bigint }
  | { step: 'leave'; finding: string }

/**
 * Chooses the next step of a refund from the forwarder's state. A payment within the daily limit for prepaid money is
 * refunded at once. A larger refund is announced first, and paid 24 hours later. If the guardian vetoed the
 * announcement, the refund is left to an operator. When the operator retries the refund, it is announced once more
 * (chain specification, "Bound payments").
 * @throws ChainUnavailable
 */
export async function chooseRefundStep(deps: RelayerDeps, intent: BoundIntent): Promise<NextRefundStep> {
  const payment = refundPaymentOf(intent)
  const prepaidBalance = await findPrepaidLeft(deps, payment)
  if (prepaidBalance === null || payment.value <= prepaidBalance) return { step: 'return' }
  const ids = await listAnnounced(deps, intent, payment)
  const [announcedRefund] = await listInEffect(deps, ids)
  if (announcedRefund !== undefined) return await stepOfAnnounced(deps, announcedRefund)
  if (intent.refundGasLimit === null && (await isAnyVetoed(deps, intent, ids))) {
    return { step: 'leave', finding: 'the guardian vetoed the announced refund' }
  }
  return { step: 'announce' }
}

/** An announced refund. `executableFrom`: the time from which it can be paid, in Unix seconds. */
interface Announced {
  refundId: Hex
  executableFrom: bigint
}

async function stepOfAnnounced(
  { chain }: RelayerDeps,
  { refundId, executableFrom }: Announced,
): Promise<NextRefundStep> {
  const { timestamp } = await chain.latestHead()
  if (timestamp >= executableFrom) return { step: 'execute', refundId }
  return { step: 'wait', notBefore: executableFrom, secondsLeft: executableFrom - timestamp }
}

/** Lists the ids under which relayers announced this refund. Executed and vetoed announcements are included. */
async function listAnnounced(
  { chain, deployment }: RelayerDeps,
  intent: BoundIntent,
  { from, nonce, value }: PaymentAuthorization,
): Promise<Hex[]> {
  const logs = await chain.getLogs({
    address: deployment.forwarder,
    event: refundAnnounced,
    args: { payer: from, nonce },
    fromBlock: fromBlockOf(intent),
  })
  const announcements = parseEventLogs({ abi, eventName: 'RefundAnnounced', logs: [...logs] })
  return [...new Set(announcements.filter(({ args }) => args.value === value).map(({ args }) => args.refundId))]
}

/**
 * Lists the announced refunds that can still be paid, sorted by the time from which they can be paid. Such a refund is
 * neither executed nor vetoed, and the relayer that announced it is still authorized.
 */
async function listInEffect(deps: RelayerDeps, ids: readonly Hex[]): Promise<Announced[]> {
  const refundsInEffect = await Promise.all(ids.map((refundId) => findInEffect(deps, refundId)))
  return refundsInEffect
    .flatMap((refund) => refund ?? [])
    .sort((a, b) => (a.executableFrom < b.executableFrom ? -1 : 1))
}

async function findInEffect({ chain, deployment }: RelayerDeps, refundId: Hex): Promise<Announced | null> {
  const contract = { address: deployment.forwarder, abi } as const
  const { relayer, executableFrom } = await chain.readContract({
    ...contract,
    functionName: 'announcedRefund',
    args: [refundId],
  })
  if (executableFrom === 0) return null
  const isRelayer = await chain.readContract({ ...contract, functionName: 'relayers', args: [relayer] })
  return isRelayer ? { refundId, executableFrom: BigInt(executableFrom) } : null
}

async function isAnyVetoed(
  { chain, deployment }: RelayerDeps,
  intent: BoundIntent,
  ids: readonly Hex[],
): Promise<boolean> {
  const about = { address: deployment.forwarder, event: refundVetoed, fromBlock: fromBlockOf(intent) }
  const logs = await Promise.all(ids.map((refundId) => chain.getLogs({ ...about, args: { refundId } })))
  return logs.some((vetoes) => vetoes.length > 0)
}
