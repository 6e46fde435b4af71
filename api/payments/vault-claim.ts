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

/** A claim in the vault that pays it. */
export interface ClaimPlace {
  vault: Address
  claim: VaultClaim
}

const claimed = getAbiItem({ abi: sponsoredVaultAbi, name: 'Claimed' }) as AbiEvent
const selector = toFunctionSelector(getAbiItem({ abi: sponsoredVaultAbi, name: 'claimTo' }))

/** Whether this calldata pays a claim of a vault. */
export function isClaim(data: Hex): boolean {
  return data.startsWith(selector)
}

/**
 * Reads what became of a signed claim. Each nonce of a worker in a vault is taken by one claim, which the vault logs
 * with it.
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
    event: claimed,
    args: { worker: claim.worker },
    fromBlock: at.fromBlock,
  })
  const paid = listClaimed(logs, vault).find(({ args }) => args.nonce === claim.nonce)
  if (paid === undefined) return { use: 'unseen' }
  if (!isOf(claim, paid.args)) return { use: 'otherwise' }
  return { use: 'made', hash: paid.transactionHash, blockNumber: paid.blockNumber }
}

/** Whether these logs of one transaction show that this claim was paid. */
export function isClaimPaid(logs: MinedTransaction['logs'], { vault, claim }: ClaimPlace): boolean {
  return listClaimed(logs, vault).some(({ args }) => args.nonce === claim.nonce && isOf(claim, args))
}

/** What a vault logs of a paid claim. */
interface ClaimedArgs {
  taskId: Hex
  worker: Address
  destination: Address
  index: bigint
  amount: bigint
}

/** The token of a vault is any account's code, and may log the same elsewhere: only the vault's own logs count. */
function listClaimed(logs: MinedTransaction['logs'], vault: Address) {
  return parseEventLogs({ abi: sponsoredVaultAbi, eventName: 'Claimed', logs: [...logs] }).filter(
    ({ address }) => address.toLowerCase() === vault,
  )
}

function isOf(claim: VaultClaim, { taskId, worker, destination, index, amount }: ClaimedArgs): boolean {
  const isSameLeaf = taskId === claim.taskId && index === claim.index && amount === claim.amount
  return isSameLeaf && worker.toLowerCase() === claim.worker && destination.toLowerCase() === claim.destination
}

/** The claim that this calldata pays. @throws on other calldata */
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
