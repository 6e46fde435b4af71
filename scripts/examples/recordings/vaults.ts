import { keccak256, toHex } from 'viem'
import { openVault } from '../open-vault.ts'
import type { RecordingContext } from '../recording-context.ts'

/** A thousand tokens. */
const FUNDED = 1000n * 10n ** 18n

/** A vault of a sponsor, and a task of its manager that it can fund. */
export async function recordVaults({ record, chain, deployment, wallet }: RecordingContext): Promise<void> {
  const { rewardToken } = deployment
  if (rewardToken === undefined) throw new Error('the deployment has no token to fund a vault with')
  const managerAddress = wallet('requester').address
  const { vaultId } = await openVault(
    { client: chain.client, deployment, send: chain.sendAs },
    {
      sponsor: wallet('feeRecipient').address,
      token: rewardToken,
      minter: wallet('owner').address,
      salt: keccak256(toHex('a recorded vault')),
      amount: FUNDED,
      managers: [managerAddress],
    },
  )
  const params = { vaultId }
  const grossAmount = String(100n * 10n ** 18n)
  await record('previewVaultFunding', { params, query: { managerAddress, grossAmount } })
  const terms = { reward: '2000000', duration: 24, mode: 'claim', stakeRequired: true, stakeBps: 500, tags: ['haiku'] }
  await record('buildFundingHookData', { params, body: { managerAddress, grossAmount, ...terms } })
}
