import type { Address } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { type DevRole, devAccount } from '../chain/dev-accounts.ts'
import { connect } from '../contracts/chain.ts'

/**
 * Withdraws all reward tokens that a demo wallet can claim, to the wallet itself. The wallet calls the hook directly.
 * Does nothing if there is nothing to claim, so it may be run again.
 * @returns the withdrawn amount, base units of the reward token
 */
export async function withdrawBonus(rpcUrl: string, bonusHook: Address, role: DevRole): Promise<bigint> {
  const { account, privateKey } = devAccount(role)
  const client = await connect(rpcUrl, privateKey)
  const contract = { address: bonusHook, abi: bonusHookAbi } as const
  const claimableUnits = await client.readContract({
    ...contract,
    functionName: 'claimableOf',
    args: [account.address],
  })
  if (claimableUnits === 0n) return 0n
  const hash = await client.writeContract({ ...contract, functionName: 'withdraw', args: [account.address] })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`the withdrawal of ${role} reverted in transaction ${hash}`)
  return claimableUnits
}
