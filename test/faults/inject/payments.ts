import type { Hex } from 'viem'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'
import type { SignedAuthorization } from '../../chain/writes/usdc-calls.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCaseContext } from '../fault-case.ts'

/** The payment of a write as the service stored it. */
export interface BoundPayment extends SignedAuthorization {
  intentId: string
}

/** The payment of a bound write. @throws when the write is not bound */
export async function findBoundPayment(
  { environment }: FaultCaseContext,
  { call }: PreparedWrite,
): Promise<BoundPayment> {
  const [row] = await environment.sql<BoundPayment[]>`
    select id as "intentId", initiator as "from", payment_value as value, payment_valid_after as "validAfter",
      payment_valid_before as "validBefore", payment_nonce as nonce, payment_signature as signature
    from service.intents where idempotency_key = ${call.key} and status <> 'reserved'`
  if (row === undefined) throw new Error(`nothing is bound under ${call.key}`)
  return row
}

/**
 * Sends a call from an account outside the write. Resolves when it is mined; with its own fee (wei a gas), when it is
 * pending in the mempool.
 * @throws when it reverts
 */
export async function sendAsStranger(
  { environment }: FaultCaseContext,
  { to, data }: { to: Hex; data: Hex },
  fee?: Hex,
): Promise<void> {
  const { address } = devAccount('bob').account
  const fees = fee === undefined ? {} : { maxFeePerGas: fee, maxPriorityFeePerGas: fee, gas: '0x30d40' }
  const hash = (await environment.anvil.request('eth_sendTransaction', [{ from: address, to, data, ...fees }])) as Hex
  if (fee !== undefined) return
  const { status } = await untilMined(environment.anvil.request, hash)
  if (status !== '0x1') throw new Error(`${data.slice(0, 10)} reverted`)
}
