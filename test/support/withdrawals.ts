import { type Address, type Hex, toHex } from 'viem'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import type { Actor } from './actors.ts'

/** What a withdrawal is made of. Amount in USDC base units. */
export interface WithdrawalTerms {
  to: Address
  amount: bigint
  /** Time of the chain head, Unix seconds. */
  now: bigint
  usdc: Address
}

/** The body of `POST /wallet/withdraw`, signed by the owner; `changes`: of the authorization, before it is signed. */
export async function aWithdrawalBody(
  owner: Pick<Actor, 'account' | 'address'>,
  { to, amount, now, usdc }: WithdrawalTerms,
  changes: Record<string, string> = {},
) {
  const authorization = {
    from: owner.address as string,
    to: to as string,
    value: amount.toString(),
    validAfter: '0',
    validBefore: (now + 300n).toString(),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))) as string,
    ...changes,
  }
  const signature: Hex = await owner.account.signTypedData({
    ...transferTypedData({ chainId: localNetwork.chainId, usdc, usdcDomain: localNetwork.usdc }),
    message: authorization as never,
  })
  return { from: owner.address, amountBaseUnits: amount.toString(), authorization, signature }
}

/** The body that registers a withdrawal address. */
export async function aRegistration(owner: Pick<Actor, 'account' | 'address'>, withdrawalAddress: Address) {
  const message = `service:set-withdrawal-address:${withdrawalAddress.toLowerCase()}`
  const signature = await owner.account.signMessage({ message })
  return { walletAddress: owner.address, withdrawalAddress, signature }
}

/** What a withdrawal of reward tokens is made of. */
export interface TokenWithdrawalTerms {
  destination: Address
  /** Time of the chain head, Unix seconds. */
  now: bigint
  /** The body leaves the destination out. */
  isDefault?: boolean
  /** Seconds from `now`. */
  validity?: bigint
  nonce?: Hex
}

/** The body of `POST /wallet/withdraw-token`, signed by the worker. */
export async function aTokenWithdrawalBody(
  worker: Pick<Actor, 'account' | 'address'>,
  { destination, now, isDefault = false, validity = 240n, nonce = aNonce() }: TokenWithdrawalTerms,
) {
  const validBefore = (now + validity).toString()
  const message = `service:withdraw-token:${destination.toLowerCase()}:${nonce}:${validBefore}`
  const signature = await worker.account.signMessage({ message })
  const given = isDefault ? {} : { destination }
  return { workerAddress: worker.address, ...given, nonce, validBefore, signature }
}

function aNonce(): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}
