import { encodeFunctionData, type Hex, multicall3Abi, type PrivateKeyAccount, parseAbi } from 'viem'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import type { Deployment } from '../../../scripts/contracts/deploy.ts'

const usdcFunctions = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

/** An authorization towards the forwarder, signed; numbers as bigint or as decimal text. */
export interface SignedAuthorization {
  from: Hex
  value: bigint | string
  validAfter: bigint | string
  validBefore: bigint | string
  nonce: Hex
  signature: Hex
}

/**
 * Submits a payer's authorization alone, which any wallet can do. The funds go to the forwarder, without any other
 * effect.
 */
export function submitAlone(deployment: Deployment, payment: SignedAuthorization) {
  return submitTo(deployment, { ...payment, to: deployment.forwarder })
}

/** The same for an authorization to any account. */
export function submitTo({ usdc }: Pick<Deployment, 'usdc'>, payment: SignedAuthorization & { to: Hex }) {
  const { from, to, nonce, signature } = payment
  const [value, validAfter, validBefore] = [
    BigInt(payment.value),
    BigInt(payment.validAfter),
    BigInt(payment.validBefore),
  ]
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  const data = encodeFunctionData({ abi: usdcFunctions, functionName: 'transferWithAuthorization', args })
  return { to: usdc, data }
}

/** Cancels an authorization as its payer: the nonce is used and no funds move. */
export async function cancelAuthorization(deployment: Deployment, payer: PrivateKeyAccount, nonce: Hex) {
  const { domain } = transferTypedData(deployment)
  const signature = await payer.signTypedData({
    domain,
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
  const args = [payer.address, nonce, signature] as const
  return {
    to: deployment.usdc,
    data: encodeFunctionData({ abi: usdcFunctions, functionName: 'cancelAuthorization', args }),
  }
}

/** Several calls in one transaction, through Multicall3. */
export function inOneTransaction(multicall3: Hex, calls: readonly { to: Hex; data: Hex }[]) {
  const args = [calls.map(({ to, data }) => ({ target: to, allowFailure: false, callData: data }))] as const
  return { to: multicall3, data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args }) }
}
