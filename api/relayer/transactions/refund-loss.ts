import type { Fees } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { isWorthItsGas, REFUND_ATTEMPTS } from '../../intents/refund-limits.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import type { RelayerDeps } from './relay-context.ts'

/**
 * Returns a text with the reason if a refund would cost more gas than it is worth, otherwise null. The cost counts all
 * attempts of the refund so far and the next one. The first attempt is checked only if the payer has code. A retry that
 * an operator requested is not checked.
 * @throws ChainUnavailable
 */
export async function findRefundLoss(
  { chain, config }: Pick<RelayerDeps, 'chain' | 'config'>,
  intent: BoundIntent,
  { gasLimit, fees: { maxFeePerGas } }: { gasLimit: bigint; fees: Fees },
): Promise<string | null> {
  const { from, value } = refundPaymentOf(intent)
  const attempts = BigInt(REFUND_ATTEMPTS - intent.refundAttemptsLeft + 1)
  const gas = gasLimit * attempts
  const weiPerUsdc = BigInt(config.WEI_PER_USDC)
  if (intent.refundGasLimit !== null || isWorthItsGas({ gas, maxFeePerGas }, { value, weiPerUsdc })) return null
  if (attempts === 1n && !(await chain.hasCode(from))) return null
  const count = attempts === 1n ? '' : ` in ${attempts} attempts`
  return `giving it back may cost ${gas * maxFeePerGas} wei${count}, more than ${value} base units are worth`
}
