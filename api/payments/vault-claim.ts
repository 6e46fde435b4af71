import {
  type AbiEvent,
  type Address,
  decodeFunctionData,
  getAbiItem,
  type Hex,
  parseEventLogs,
  toFunctionSelector,
} from 'viem'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import type { VaultClaim } from '../../protocol/signed/vault-claim.ts'
import type { MinedTransaction } from '../chain/chain.ts'
import type { SubmissionUse } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

/** A claim, and the vault that pays the claim. */
export interface ClaimPlace {
  vault: Address
  claim: VaultClaim
}

const claimedEvent = getAbiItem({ abi: sponsoredVaultAbi, name: 'Claimed' }) as AbiEvent
const selector = toFunctionSelector(getAbiItem({ abi: sponsoredVaultAbi, name: 'claimTo' }))

/** Returns true if this calldata is a worker's claim from a vault. */
export function isClaim(data: Hex): boolean {
  return data.startsWith(selector)
}

/**
 * Returns how the nonce of a signed claim was used on chain. In one vault, a worker can use each nonce for only one
 * claim.
 * @throws ChainUnavailable
 */
export async function findClaimUse(
  { chain }: Pick<VerifyPorts, 'chain'>,
  { vault, claim }: ClaimPlace,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<SubmissionUse> {
  const nextNonce = await chain.readContract({
    address: vault,
    abi: sponsoredVaultAbi,
    functionName: 'nonceOf',
    args: [claim.worker],
    ...(at.blockNumber !== undefined && { blockNumber: at.blockNumber }),
  })
  if (nextNonce <= claim.nonce) return { use: 'unused' }
  const logs = await chain.getLogs({
    address: vault,
    event: claimedEvent,
    args: { worker: claim.worker },
    fromBlock: at.fromBlock,
  })
  const claimLog = listClaimed(logs, vault).find(({ args }) => args.nonce === claim.nonce)
  if (claimLog === undefined) return { use: 'unseen' }
  if (!isOf(claim, claimLog.args)) return { use: 'otherwise' }
  return { use: 'made', hash: claimLog.transactionHash, blockNumber: claimLog.blockNumber }
}

/** Returns true if the logs of a transaction show that the vault paid this claim. */
export function isClaimPaid(logs: MinedTransaction['logs'], { vault, claim }: ClaimPlace): boolean {
  return listClaimed(logs, vault).some(({ args }) => args.nonce === claim.nonce && isOf(claim, args))
}

/** The arguments of a vault's `Claimed` event. */
interface ClaimedArgs {
  taskId: Hex
  worker: Address
  destination: Address
  index: bigint
  amount: bigint
}

/**
 * Returns the `Claimed` events of the vault. Events of other contracts are ignored, because the vault's token could
 * emit the same event.
 */
function listClaimed(logs: MinedTransaction['logs'], vault: Address) {
  return parseEventLogs({ abi: sponsoredVaultAbi, eventName: 'Claimed', logs: [...logs] }).filter(
    ({ address }) => address.toLowerCase() === vault,
  )
}

function isOf(claim: VaultClaim, { taskId, worker, destination, index, amount }: ClaimedArgs): boolean {
  const isSameLeaf = taskId === claim.taskId && index === claim.index && amount === claim.amount
  return isSameLeaf && worker.toLowerCase() === claim.worker && destination.toLowerCase() === claim.destination
}

/** Decodes a claim from calldata. @throws if the calldata is another call */
export function decodeClaim(data: Hex): VaultClaim {
  const call = decodeFunctionData({ abi: sponsoredVaultAbi, data })
  if (call.functionName !== 'claimTo') throw new Error(`a vault’s ${call.functionName} is no claim`)
  const [claim] = call.args
  return {
    ...claim,
    worker: claim.worker.toLowerCase() as Address,
    destination: claim.destination.toLowerCase() as Address,
  }
}
