import type { Address } from 'viem'
import type { Fees } from '../chain/chain.ts'
import type { Transaction } from '../db/client.ts'
import { findReservedGas, type GasReservation, releaseGas, reserveGas } from './gas-accounts.queries.ts'
import type { BoundIntent } from './intent.ts'
import { accountOfOwner, accountOfToday, isAccountOfADay, type RelayTermsDeps } from './relay-terms.ts'

/**
 * The result of `coverGas`. `reservation`: the new gas reservation of the intent, or null if the intent's present gas
 * reservation is large enough.
 */
export interface CoveredGas {
  reservation: GasReservation | null
}

/**
 * Raises the gas reservation of a foreign call (a call that runs code from outside the deployment) to the highest
 * possible cost of its transaction at the given fees. If a reservation was made from the gas account of an earlier day
 * and is too small, the function reserves the whole cost from today's account and releases the earlier reservation. The
 * caller stores the new reservation (`setReservedGas`) in the same transaction.
 * @returns null if the gas account has too little left; then the caller must not sign the call at the given fees
 */
export async function coverGas(
  deps: Pick<RelayTermsDeps, 'sql' | 'config'>,
  tx: Transaction,
  { id, relayClass }: Pick<BoundIntent, 'id' | 'relayClass'>,
  { gasLimit, fees }: { gasLimit: bigint; fees: Fees },
): Promise<CoveredGas | null> {
  if (relayClass === 'plain') return { reservation: null }
  // Fees may rise between the bind and the signature. The waiting writes together could then exceed the budget.
  const neededWei = gasLimit * fees.maxFeePerGas
  // An intent reopened by a reorg has no reservation.
  const reservedGas = await findReservedGas(tx, id)
  if (reservedGas !== null && reservedGas.wei >= neededWei) return { reservation: null }
  const account =
    reservedGas === null || isAccountOfADay(reservedGas.account)
      ? accountOfToday(deps.config)
      : await accountOfOwner(deps, reservedGas.account as Address)
  const isSame = reservedGas?.account === account.name
  if (!(await reserveGas(tx, account, neededWei - (isSame ? reservedGas.wei : 0n)))) return null
  if (reservedGas !== null && !isSame) await releaseGas(tx, reservedGas)
  return { reservation: { account: account.name, wei: neededWei } }
}
