import type { Hex } from 'viem'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import type { Actor } from './actors.ts'

const { account } = devAccount('curator')

/** Whose decisions about vaults count in tests. */
export const curator: Pick<Actor, 'account'> = { account }

/** The setting that names it. */
export const curators = { CURATORS: account.address }

/** The body of a decision, signed by the curator unless another account is named. `timestamp` in Unix seconds. */
export async function aCuration(
  { vaultId, status, timestamp }: { vaultId: Hex; status: string; timestamp: bigint },
  by: Pick<Actor, 'account'> = curator,
) {
  const signature = await by.account.signMessage({ message: `service:curate:${vaultId}:${status}:${timestamp}` })
  return { status, timestamp: Number(timestamp), signature }
}
