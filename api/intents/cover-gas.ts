import type { Address } from 'viem'
import type { Fees } from '../chain/chain.ts'
import type { Transaction } from '../db/client.ts'
import { findReservedGas, reserveGas } from './gas-accounts.queries.ts'
import type { BoundIntent } from './intent.ts'
import { accountOfDay, accountOfOwner, isAccountOfADay, type RelayTermsDeps } from './relay-terms.ts'

/**
 * Takes from an intent's gas account what its transaction may cost beyond what is set aside for it: fees rise between
 * the bind and the signature, and all writes that wait would exceed a budget that counts the fees of the bind. The
 * caller adds the result to the intent (`addReservedGas`) in the same transaction.
 * @returns the wei taken; null when the account has less left: then nothing may be signed at these fees
 */
export async function coverGas(
  deps: Pick<RelayTermsDeps, 'sql' | 'config'>,
  tx: Transaction,
  { id }: Pick<BoundIntent, 'id'>,
  { gasLimit, fees }: { gasLimit: bigint; fees: Fees },
): Promise<bigint | null> {
  const reserved = await findReservedGas(tx, id)
  if (reserved === null) return 0n
  const missingWei = gasLimit * fees.maxFeePerGas - reserved.wei
  if (missingWei <= 0n) return 0n
  const { name } = reserved
  const account = isAccountOfADay(name) ? accountOfDay(name, deps.config) : await accountOfOwner(deps, name as Address)
  return (await reserveGas(tx, account, missingWei)) ? missingWei : null
}
