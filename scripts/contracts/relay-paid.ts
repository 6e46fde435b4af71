import { type Hex, keccak256, type LocalAccount, type TransactionReceipt, toHex } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import type { DeployClient } from './chain.ts'
import { type Deployment, mintLocalUsdc } from './deploy.ts'

type PaidCall = {
  payer: LocalAccount
  /** Amount of the payment, base units of USDC. `relayPaid` first mints this amount for the payer. */
  value: bigint
  /** The part of the payment that goes to the target contract, base units of USDC. */
  escrow: bigint
  target: Hex
  data: Hex
}

/**
 * Relays a payment and a call in one transaction on a local chain, in the same way as the service. Resolves when the
 * transaction is mined.
 */
export async function relayPaid(
  client: DeployClient,
  deployment: Deployment,
  { payer, value, escrow, target, data }: PaidCall,
): Promise<TransactionReceipt> {
  const { forwarder } = deployment
  await mintLocalUsdc(client.chain.rpcUrls.default.http[0] ?? '', payer.address, value)
  const { timestamp } = await client.getBlock()
  const nonce = keccak256(payer.address)
  const authorization = { from: payer.address, value, validAfter: 0n, validBefore: timestamp + 300n, nonce }
  const signature = await payer.signTypedData({
    ...transferTypedData(deployment),
    message: { ...authorization, to: forwarder },
  })
  const hash = await client.writeContract({
    address: forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayPaid',
    args: [keccak256(toHex(`intent of ${payer.address}`)), authorization, signature, escrow, target, data],
  })
  return client.waitForTransactionReceipt({ hash })
}
