import { type Address, zeroAddress } from 'viem'
import { listContracts } from '../../../chain/deployment.ts'
import type { Deps } from '../../../deps.ts'
import { invalidRequest } from '../../../http/parse.ts'

/**
 * Refuses a withdrawal address at which USDC would be lost: the zero address, a contract of the market, or one of the
 * market's tokens. The wallet's own address is allowed, because the wallet may want its token bonus there.
 * @throws ServiceError 400; the error names the field
 */
export function checkWithdrawalAddress({ deployment }: Pick<Deps, 'deployment'>, address: Address, path: string): void {
  if (address === zeroAddress) throw invalidRequest([{ path, message: 'must not be the zero address' }])
  if (!listContracts(deployment).includes(address)) return
  throw invalidRequest([
    { path, message: 'is a contract of this market or one of its tokens, which could not pass the money on' },
  ])
}
