import { type AbiEvent, type Address, decodeFunctionData, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import type { TokenWithdrawal } from '../../protocol/signed/token-withdrawal.ts'
import type { MinedTransaction } from '../chain/chain.ts'
import type { SubmissionUse } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const bonusWithdrawn = getAbiItem({ abi: bonusHookAbi, name: 'BonusWithdrawn' }) as AbiEvent

/** The withdrawal that this calldata makes. @throws on other calldata */
export function decodeWithdrawal(data: Hex): TokenWithdrawal {
  const call = decodeFunctionData({ abi: bonusHookAbi, data })
  if (call.functionName !== 'withdrawFor') throw new Error(`a programme’s ${call.functionName} is no withdrawal`)
  const [account, destination, nonce, validBefore] = call.args
  return { account: toLowerCase(account), destination: toLowerCase(destination), nonce, validBefore }
}

function toLowerCase(address: Address): Address {
  return address.toLowerCase() as Address
}

/** A withdrawal in the programme that takes it. */
export interface WithdrawalPlace {
  programme: Address
  withdrawal: Pick<TokenWithdrawal, 'account' | 'destination' | 'nonce'>
}

/** Whether the programme has taken a nonce of an account. @throws ChainUnavailable */
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
 * Reads what became of a signed withdrawal of reward tokens. Its nonce is taken by one withdrawal of its account, which
 * the programme logs with it.
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
  const made = parseEventLogs({ abi: bonusHookAbi, eventName: 'BonusWithdrawn', logs: [...logs] }).find(
    ({ args }) => args.nonce === nonce,
  )
  if (made === undefined) return { use: 'unseen' }
  if (made.args.destination.toLowerCase() !== destination) return { use: 'otherwise' }
  return { use: 'made', hash: made.transactionHash, blockNumber: made.blockNumber }
}

/** Base units that these logs of one transaction show to be withdrawn by this signature; null: none. */
export function findWithdrawn(
  logs: MinedTransaction['logs'],
  { programme, withdrawal: { account, destination, nonce } }: WithdrawalPlace,
): bigint | null {
  const made = parseEventLogs({ abi: bonusHookAbi, eventName: 'BonusWithdrawn', logs: [...logs] }).find(
    ({ address, args }) =>
      address.toLowerCase() === programme &&
      args.account.toLowerCase() === account &&
      args.destination.toLowerCase() === destination &&
      args.nonce === nonce,
  )
  return made?.args.amount ?? null
}
