import { encodeFunctionData } from 'viem'
import { readArtifact } from '../contracts/artifacts.ts'
import { attachBonus, fundReserve } from '../contracts/bonus-admin.ts'
import { connect, sendAll } from '../contracts/chain.ts'
import type { Deployment } from '../contracts/deploy.ts'
import { devAccount } from './dev-accounts.ts'

/** Reserve of the bonus programme on a local chain: 1,000,000 reward tokens. The token has 18 decimals. */
const localReserve = 1_000_000n * 10n ** 18n

/**
 * Moves reward tokens into the reserve of a local chain's bonus programme. If `isAttached` is true, also makes the
 * programme a default hook.
 * @param options.isAttached true if tasks that are created from now on earn bonuses
 */
export async function startBonus(
  rpcUrl: string,
  { market, bonusHook, rewardToken }: Deployment,
  { isAttached }: { isAttached: boolean },
): Promise<void> {
  if (bonusHook === undefined || rewardToken === undefined) throw new Error('no programme of bonuses was deployed')
  const owner = devAccount('owner')
  const client = await connect(rpcUrl, owner.privateKey)
  const data = encodeFunctionData({
    abi: readArtifact('LocalRewardToken').abi,
    functionName: 'mint',
    args: [owner.account.address, localReserve],
  })
  await sendAll(client, [{ what: 'minting the reserve', to: rewardToken, data }])
  await fundReserve(client, { bonusHook, token: rewardToken, amount: localReserve })
  if (isAttached) await attachBonus(client, market, bonusHook)
}
