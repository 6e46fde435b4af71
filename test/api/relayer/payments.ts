import { type Address, encodeFunctionData, type Hex, type Log, zeroAddress, zeroHash } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { anActor } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { toLog } from '../../support/contract-log.ts'
import { aHash, aPosition, insertRow, START } from '../../support/rows/insert-row.ts'

interface Payment {
  from: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

/** A payment of a new wallet that ends 100 seconds after the first block. */
export function aPayment(changes: Partial<Payment> = {}): Payment {
  const times = { validAfter: 0n, validBefore: START + 100n }
  return { from: anActor().address, value: 5n, ...times, nonce: aHash(), signature: '0xab', ...changes }
}

/** Binds a transfer of USDC that its owner has signed. */
export function bindTransfer(
  api: TestApi,
  { from, value, validAfter, validBefore, nonce, signature }: Payment,
  { to = zeroAddress, boundAtBlock = 0n }: { to?: Address; boundAtBlock?: bigint } = {},
): Promise<BoundIntent> {
  const { usdc } = api.deps.deployment
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  return bindIntent(api, {
    kind: 'transfer',
    initiator: from,
    target: usdc,
    calldata: encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args }),
    paymentAsset: usdc,
    submission: { id: nonce, value, validBefore },
    boundAtBlock,
  })
}

/** The logs of USDC when an authorization is used to pay an account: of its nonce, and of the transfer. */
export function transferLogs(
  { deps }: TestApi,
  { from, nonce, to, value }: { from: Address; nonce: unknown; to: Address; value: bigint },
  transactionHash?: Hex,
): [Log<bigint, number, false>, Log<bigint, number, false>] {
  const log = (name: string, logIndex: number, args: Record<string, unknown>) => {
    const event = { abi: usdcAbi, address: deps.deployment.usdc, name, args }
    return toLog(event, logIndex, { ...(transactionHash !== undefined && { transactionHash }) })
  }
  return [log('AuthorizationUsed', 3, { authorizer: from, nonce }), log('Transfer', 4, { from, to, value })]
}

/** A call of the forwarder as its event names it. */
interface RelayedCall {
  intentId: Hex
  /** Default: of an open call. */
  actor?: Address
  paymentNonce?: Hex
  amount?: bigint
}

function toRelay({ intentId, actor = zeroAddress, paymentNonce = zeroHash, amount = 0n }: RelayedCall) {
  return { intentId, actor, selector: '0x12345678', paymentNonce, amount, escrowAmount: 0n } as const
}

/** The log of the forwarder when it relays a call. */
export function relayLog({ deps }: TestApi, call: RelayedCall, transactionHash: Hex): Log<bigint, number, false> {
  const place = { abi: paymentForwarderAbi, address: deps.deployment.forwarder, name: 'IntentRelayed' }
  return toLog({ ...place, args: toRelay(call) }, 0, { transactionHash })
}

/** Stores the row of a relayed call, as the indexer does. */
export async function insertRelay({ sql }: TestApi, call: RelayedCall, transactionHash: Hex): Promise<void> {
  await insertRow(sql, 'relayedIntent', { ...toRelay(call), prepaid: false, ...aPosition(), transactionHash })
}
