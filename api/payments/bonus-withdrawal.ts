import { type AbiEvent, type Address, encodeFunctionData, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import type { MinedTransaction } from '../chain/chain.ts'
import type { SubmittableTransfer, TransferAuthorization, TransferUse } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const bonusWithdrawn = getAbiItem({ abi: bonusHookAbi, name: 'BonusWithdrawn' }) as AbiEvent

/** What an account signs to have its reward tokens sent, after the service's name (IBonusHook.withdrawFor). */
export function toWithdrawalText(terms: { destination: Address; nonce: Hex; validBefore: bigint }): string {
  return `withdraw-token:${terms.destination}:${terms.nonce}:${terms.validBefore}`
}

/** The programme's calldata that sends an account all that it can claim. */
export function encodeWithdrawFor(transfer: TransferAuthorization): Hex {
  const { from, to, nonce, validBefore, signature } = transfer
  return encodeFunctionData({
    abi: bonusHookAbi,
    functionName: 'withdrawFor',
    args: [from, to, nonce, validBefore, signature],
  })
}

/** Whether the programme has taken a nonce of an account. @throws ChainUnavailable */
export function isWithdrawalUsed(
  { chain }: Pick<VerifyPorts, 'chain'>,
  { from, nonce, contract }: Pick<SubmittableTransfer, 'from' | 'nonce' | 'contract'>,
  at: { blockNumber?: bigint } = {},
): Promise<boolean> {
  return chain.readContract({
    address: contract,
    abi: bonusHookAbi,
    functionName: 'isNonceUsed',
    args: [from, nonce],
    ...(at.blockNumber !== undefined && { blockNumber: at.blockNumber }),
  })
}

/**
 * Reads what became of a signed withdrawal of reward tokens. Its nonce is taken by one withdrawal of its account, which
 * the programme logs with it.
 * @throws ChainUnavailable
 */
export async function findWithdrawalUse(
  ports: Pick<VerifyPorts, 'chain'>,
  transfer: SubmittableTransfer,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<TransferUse> {
  if (!(await isWithdrawalUsed(ports, transfer, at))) return { use: 'unused' }
  const logs = await ports.chain.getLogs({
    address: transfer.contract,
    event: bonusWithdrawn,
    args: { account: transfer.from },
    fromBlock: at.fromBlock,
  })
  const made = parseEventLogs({ abi: bonusHookAbi, eventName: 'BonusWithdrawn', logs: [...logs] }).find(
    ({ args }) => args.nonce === transfer.nonce,
  )
  if (made === undefined) return { use: 'unseen' }
  if (made.args.destination.toLowerCase() !== transfer.to) return { use: 'otherwise' }
  return { use: 'made', hash: made.transactionHash, blockNumber: made.blockNumber }
}

/** Base units that these logs of one transaction show to be withdrawn by this signature; null: none. */
export function findWithdrawn(
  logs: MinedTransaction['logs'],
  { contract, from, to, nonce }: Pick<SubmittableTransfer, 'contract' | 'from' | 'to' | 'nonce'>,
): bigint | null {
  const made = parseEventLogs({ abi: bonusHookAbi, eventName: 'BonusWithdrawn', logs: [...logs] }).find(
    ({ address, args }) =>
      address.toLowerCase() === contract &&
      args.account.toLowerCase() === from &&
      args.destination.toLowerCase() === to &&
      args.nonce === nonce,
  )
  return made?.args.amount ?? null
}
