import type { Address } from 'viem'
import type { Fees } from '../chain/chain.ts'
import type { Transaction } from '../db/client.ts'
import { findReservedGas, type GasReservation, releaseGas, reserveGas } from './gas-accounts.queries.ts'
import type { BoundIntent } from './intent.ts'
import { accountOfOwner, accountOfToday, isAccountOfADay, type RelayTermsDeps } from './relay-terms.ts'

/** What pays for a transaction. `reservation`: what is set aside for its intent from now on; null: as before. */
export interface CoveredGas {
  reservation: GasReservation | null
}

/**
 * Takes from a gas account what the transaction of a foreign call may cost beyond what is set aside for it: fees rise
 * between the bind and the signature, and all writes that wait would exceed a budget that counts the fees of the bind.
 * A share of an earlier day that is not enough is replaced by one of today: each day pays for what it lets in. The
 * caller stores the reservation (`setReservedGas`) in the same transaction.
 * @returns null when the account has less left: then nothing may be signed at these fees
 */
export async function coverGas(
  deps: Pick<RelayTermsDeps, 'sql' | 'config'>,
  tx: Transaction,
  { id, relayClass }: Pick<BoundIntent, 'id' | 'relayClass'>,
  { gasLimit, fees }: { gasLimit: bigint; fees: Fees },
): Promise<CoveredGas | null> {
  if (relayClass === 'plain') return { reservation: null }
  const neededWei = gasLimit * fees.maxFeePerGas
  // Nothing is set aside for an intent that a reorg reopened.
  const reserved = await findReservedGas(tx, id)
  if (reserved !== null && reserved.wei >= neededWei) return { reservation: null }
  const account =
    reserved === null || isAccountOfADay(reserved.account)
      ? accountOfToday(deps.config)
      : await accountOfOwner(deps, reserved.account as Address)
  const isSame = reserved?.account === account.name
  if (!(await reserveGas(tx, account, neededWei - (isSame ? reserved.wei : 0n)))) return null
  if (reserved !== null && !isSame) await releaseGas(tx, reserved)
  return { reservation: { account: account.name, wei: neededWei } }
}
