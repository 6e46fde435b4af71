import { type Address, zeroAddress } from 'viem'
import type { Deps } from '../../../deps.ts'
import { invalidRequest } from '../../../http/parse.ts'

/**
 * Refuses addresses at which USDC would be lost. The wallet itself is allowed: its bonus goes there.
 * @throws ServiceError 400 naming the field
 */
export function checkWithdrawalAddress({ deployment }: Pick<Deps, 'deployment'>, address: Address, path: string): void {
  const { chainId: _, ...contracts } = deployment
  if (address === zeroAddress) throw invalidRequest([{ path, message: 'must not be the zero address' }])
  if (!Object.values(contracts).includes(address)) return
  throw invalidRequest([
    { path, message: 'is a contract of this market or its USDC, which could not pass the money on' },
  ])
}
