import { type Address, decodeFunctionData, type Hex } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import type { SubmittedKind } from '../../protocol/relay.ts'
import type { MinedTransaction } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { SubmissionUse, TransferAuthorization } from './authorization.ts'
import { decodeWithdrawal, findWithdrawalUse, findWithdrawn } from './bonus-withdrawal.ts'
import { decodeSwitch, findSwitchUse, isSwitched } from './bound-only-switch.ts'
import { hasMadeTransfer, proveArrival } from './prove-arrival.ts'
import { decodeClaim, findClaimUse, isClaim, isClaimPaid } from './vault-claim.ts'
import { isAuthorizationUsed, type VerifyPorts } from './verify.ts'

/** A call that the owner signed. Any account may submit it to `target` once. */
export interface Submission {
  kind: SubmittedKind
  target: Address
  calldata: Hex
}

/**
 * Returns whether a call that its owner signed was made on chain, and in which transaction (see `SubmissionUse`).
 * @param at `blockNumber`: the block whose state is read (default: the latest block); `fromBlock`: the first block in
 * which events are searched
 * @throws ChainUnavailable
 */
export async function findSubmissionUse(
  ports: VerifyPorts,
  { kind, target, calldata }: Submission,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<SubmissionUse> {
  if (kind === 'transfer') return await findTransferUse(ports, decodeTransfer(calldata), at)
  if (kind === 'switch') return await findSwitchUse(ports, decodeSwitch(calldata), at)
  return isClaim(calldata)
    ? await findClaimUse(ports, { vault: target, claim: decodeClaim(calldata) }, at)
    : await findWithdrawalUse(ports, { programme: target, withdrawal: decodeWithdrawal(calldata) }, at)
}

/** Returns true if the logs of a transaction show that the transaction made this signed call. */
export function isMadeBy(
  logs: MinedTransaction['logs'],
  { kind, target, calldata }: Submission,
  { usdc }: Pick<Deployment, 'usdc'>,
): boolean {
  if (kind === 'transfer') return hasMadeTransfer(logs, { transfer: decodeTransfer(calldata), usdc })
  if (kind === 'switch') return isSwitched(logs, { forwarder: target, boundOnlySwitch: decodeSwitch(calldata) })
  if (isClaim(calldata)) return isClaimPaid(logs, { vault: target, claim: decodeClaim(calldata) })
  return findWithdrawn(logs, { programme: target, withdrawal: decodeWithdrawal(calldata) }) !== null
}

async function findTransferUse(
  ports: VerifyPorts,
  transfer: TransferAuthorization,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<SubmissionUse> {
  if (!(await isAuthorizationUsed(ports, transfer, at))) return { use: 'unused' }
  const arrival = await proveArrival(ports, transfer, at)
  switch (arrival.outcome) {
    case 'arrived':
      return { use: 'made', hash: arrival.transaction, blockNumber: arrival.blockNumber }
    case 'elsewhere':
    case 'unproven':
      return { use: 'otherwise' }
    default:
      return { use: arrival.outcome }
  }
}

/** An authorized transfer of USDC with the owner's signature. `value` is in base units. Times are in Unix seconds. */
interface SignedTransfer {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

/**
 * Decodes an authorized transfer from calldata. The addresses are in lower case.
 * @throws if the calldata is not an authorized transfer
 */
export function decodeTransfer(data: Hex): SignedTransfer {
  const { functionName, args } = decodeFunctionData({ abi: usdcAbi, data })
  if (functionName !== 'transferWithAuthorization' || args.length !== 7)
    throw new Error(`USDC’s ${functionName} is no authorized transfer`)
  const [from, to, value, validAfter, validBefore, nonce, signature] = args
  const [owner, receiver] = [from.toLowerCase() as Address, to.toLowerCase() as Address]
  return { from: owner, to: receiver, value, validAfter, validBefore, nonce, signature }
}
