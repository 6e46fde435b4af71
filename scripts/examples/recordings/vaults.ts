import { type Address, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { sponsoredTasksHookAbi } from '../../../abis/sponsored-tasks-hook.ts'
import { claimTypedData } from '../../../protocol/signed/vault-claim.ts'
import { openVault } from '../open-vault.ts'
import { hexAt, type RecordingContext } from '../recording-context.ts'

/** Amount that funds the vault, base units: 1000 tokens of 18 decimals. */
const FUNDED = 1000n * 10n ** 18n

/** Records a sponsor's vault, and a task that a manager of the vault creates and the vault funds. */
export async function recordVaults(context: RecordingContext): Promise<void> {
  const { record, chain, deployment, wallet } = context
  const { rewardToken } = deployment
  if (rewardToken === undefined) throw new Error('the deployment has no token to fund a vault with')
  const managerAddress = wallet('requester').address
  const { vaultId, vault } = await openVault(
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
  const taskId = await recordClaim(context, { vaultId, vault, grossAmount })
  await record('listSponsoredTaskVaults', {})
  await record('getSponsoredTaskVault', { params })
  await record('getVaultBalance', { params })
  await record('listVaultManagers', { params })
  const query = { tokenAddress: rewardToken, chainId: String(deployment.chainId) }
  await record('listVaultsByToken', { query })
  await record('getVaultSettlement', { params, query: { epoch: '0', taskId } })
}

/** Records a task that the vault funds, the settlement of its reward, and the winner's claim. @returns the task's id */
async function recordClaim(
  { record, perform, chain, deployment, wallet, submit }: RecordingContext,
  { vaultId, vault, grossAmount }: { vaultId: Hex; vault: Address; grossAmount: string },
): Promise<Hex> {
  const params = { vaultId }
  const worker = wallet('carol')
  const terms = { reward: '2000000', duration: 24, tags: ['haiku'] }
  const hookDataAnswer = await perform('buildFundingHookData', {
    params,
    body: { managerAddress: wallet('requester').address, grossAmount, ...terms },
  })
  const { hookAddress, hookData } = hookDataAnswer.body as { hookAddress: Address; hookData: Hex }
  const body = { description: 'Write a haiku about vaults', ...terms, hookContract: hookAddress, hookData }
  const taskId = hexAt((await perform('createTask', { payer: 'requester', body })).body, 'taskId')
  await submit('carol', taskId)
  await perform('acceptSubmission', {
    payer: 'requester',
    params: { taskId },
    body: { taskId, worker: worker.address },
  })
  const lists = [taskId, [worker.address], [2_000_000n]] as const
  const data = encodeFunctionData({ abi: sponsoredTasksHookAbi, functionName: 'installSettlement', args: lists })
  await chain.sendAs({ from: wallet('bob').address, to: hookAddress, data })

  // The answer comes once its block is indexed, and so the settlement before it.
  const rating = { taskId, worker: worker.address, rating: 90 }
  await perform('rateWorker', { payer: 'requester', params: { taskId }, body: rating })
  const addressAnswer = await perform('getWithdrawalAddress', { query: { address: worker.address } })
  const destination = hexAt(addressAnswer.body, 'withdrawalAddress')

  const query = { workerAddress: worker.address }
  const [entitlement] = (await record('listEntitlements', { params, query })).body as Entitlement[]
  const { nonce } = (await record('getClaimNonce', { params, query })).body as { nonce: string }
  if (entitlement === undefined) throw new Error('the settlement has no leaf')
  const { epoch, index, amount, proof } = entitlement
  const deadline = (await chain.now()) + 300n
  const claim = {
    vaultId,
    epoch: BigInt(epoch),
    allocationId: taskId,
    taskId,
    index: BigInt(index),
    worker: worker.address,
  }
  const signedClaim = { ...claim, destination, amount: BigInt(amount), nonce: BigInt(nonce), deadline }
  const typedData = claimTypedData({ chainId: deployment.chainId, vault })
  const signature = await worker.signTypedData({ ...typedData, message: signedClaim })
  await record('listClaimable', { params, query })
  const timestamp = await chain.now()
  const message = `service:curate:${vaultId}:approved:${timestamp}`
  const decision = { status: 'approved', timestamp: Number(timestamp) }
  const curation = await wallet('curator').signMessage({ message })
  await record('setVaultCuration', { params, body: { ...decision, signature: curation } })
  await record('claimSponsoredReward', {
    params,
    body: {
      vaultId,
      taskId,
      index,
      workerAddress: worker.address,
      destination,
      amount,
      nonce,
      deadline: String(deadline),
      signature,
      proof,
    },
  })
  return taskId
}

interface Entitlement {
  epoch: number
  index: number
  amount: string
  proof: Hex[]
}
