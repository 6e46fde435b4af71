import { type AbiEvent, type Address, decodeFunctionData, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import type { TokenWithdrawal } from '../../protocol/signed/token-withdrawal.ts'
import type { MinedTransaction } from '../chain/chain.ts'
import type { SubmissionUse } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const bonusWithdrawn = getAbiItem({ abi: bonusHookAbi, name: 'BonusWithdrawn' }) as AbiEvent

/** Decodes a withdrawal of reward tokens from calldata. @throws if the calldata is not a withdrawal */
export function decodeWithdrawal(data: Hex): TokenWithdrawal {
  const call = decodeFunctionData({ abi: bonusHookAbi, data })
  if (call.functionName !== 'withdrawFor') throw new Error(`a programme’s ${call.functionName} is no withdrawal`)
  const [account, destination, nonce, validBefore] = call.args
  return { account: toLowerCase(account), destination: toLowerCase(destination), nonce, validBefore }
}

function toLowerCase(address: Address): Address {
  return address.toLowerCase() as Address
}

/** A withdrawal, and the bonus programme that pays the withdrawal. */
export interface WithdrawalPlace {
  programme: Address
  withdrawal: Pick<TokenWithdrawal, 'account' | 'destination' | 'nonce'>
}

/** Returns true if the bonus programme has used this nonce of the account. @throws ChainUnavailable */
export function isWithdrawalUsed(
  { chain }: Pick<VerifyPorts, 'chain'>,
  { programme, account, nonce }: { programme: Address; account: Address; nonce: Hex },
  at: { blockNumber?: bigint } = {},
): Promise<boolean> {
  return chain.readContract({
    address: programme,
    abi: bonusHookAbi,
    functionName: 'isNonceUsed',
    args: [account, nonce],
    ...(at.blockNumber !== undefined && { blockNumber: at.blockNumber }),
  })
}

/**
 * Returns how the nonce of a signed withdrawal of reward tokens was used on chain. An account can use each nonce for
 * only one withdrawal.
 * @throws ChainUnavailable
 */
export async function findWithdrawalUse(
  ports: Pick<VerifyPorts, 'chain'>,
  { programme, withdrawal }: WithdrawalPlace,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<SubmissionUse> {
  const { account, destination, nonce } = withdrawal
  if (!(await isWithdrawalUsed(ports, { programme, account, nonce }, at))) return { use: 'unused' }
  const logs = await ports.chain.getLogs({
    address: programme,
    event: bonusWithdrawn,
    args: { account },
    fromBlock: at.fromBlock,
  })
  const withdrawalLog = parseEventLogs({ abi: bonusHookAbi, eventName: 'BonusWithdrawn', logs: [...logs] }).find(
    ({ args }) => args.nonce === nonce,
  )
  if (withdrawalLog === undefined) return { use: 'unseen' }
  if (withdrawalLog.args.destination.toLowerCase() !== destination) return { use: 'otherwise' }
  return { use: 'made', hash: withdrawalLog.transactionHash, blockNumber: withdrawalLog.blockNumber }
}

/**
 * Returns the amount of this withdrawal in a transaction's logs, in base units of the token. Null if the logs do not
 * show the withdrawal.
 */
export function findWithdrawn(
  logs: MinedTransaction['logs'],
  { programme, withdrawal: { account, destination, nonce } }: WithdrawalPlace,
): bigint | null {
  const withdrawalLog = parseEventLogs({ abi: bonusHookAbi, eventName: 'BonusWithdrawn', logs: [...logs] }).find(
    ({ address, args }) =>
      address.toLowerCase() === programme &&
      args.account.toLowerCase() === account &&
      args.destination.toLowerCase() === destination &&
      args.nonce === nonce,
  )
  return withdrawalLog?.args.amount ?? null
}
