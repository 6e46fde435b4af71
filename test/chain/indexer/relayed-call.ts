import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters, stringToHex } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { type DevAccount, devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { type Call, encodeCall, type MarketChain } from './market-chain.ts'

const relayer = devAccount('relayer1').account.address
const owner = devAccount('owner').account.address
const farFuture = 2n ** 40n

interface Relay {
  chain: MarketChain
  intentId: Hex
  actor: DevAccount
  /** The call of the market. */
  data: Hex
}

export interface Payment {
  amount: bigint
  /** The part that the market takes into escrow; the rest is the forwarder's fee. */
  escrow: bigint
  nonce: Hex
}

/** Payment and call in one transaction; where the forwarder takes them, every second intent has a bound payment. */
export async function relayPaid(relay: Relay, payment: Payment): Promise<Call> {
  const { chain, intentId, actor, data } = relay
  const { market, forwarder } = chain.deployment
  if (chain.deployment.bound === true && BigInt(intentId) % 2n === 1n) return await relayBound(relay, payment)
  const { authorization, signature } = await authorize(chain, actor, payment)
  const args = [intentId, authorization, signature, payment.escrow, market, data]
  return { from: relayer, to: forwarder, data: encodeCall(paymentForwarderAbi, 'relayPaid', args) }
}

/** The payer's authorization names the call; the payment's nonce is its salt. */
async function relayBound({ chain, intentId, actor, data }: Relay, payment: Payment): Promise<Call> {
  const { market, forwarder } = chain.deployment
  const { amount, escrow, nonce: salt } = payment
  const nonce = await chain.client.readContract({
    address: forwarder,
    abi: paymentForwarderAbi,
    functionName: 'boundNonceOf',
    args: [market, data, escrow, salt],
  })
  const { authorization, signature } = await authorize(
    chain,
    actor,
    { amount, escrow, nonce },
    'ReceiveWithAuthorization',
  )
  const args = [intentId, authorization, signature, escrow, salt, market, data]
  return { from: relayer, to: forwarder, data: encodeCall(paymentForwarderAbi, 'relayBound', args) }
}

/** The authorization is submitted alone; its refund is announced, and vetoed by the owner as guardian. */
export async function announceThenVeto(
  { chain, actor }: Pick<Relay, 'chain' | 'actor'>,
  payment: Payment,
): Promise<Call[]> {
  const { forwarder, usdc } = chain.deployment
  const { authorization, signature } = await authorize(chain, actor, payment)
  const { from, value, validAfter, validBefore, nonce } = authorization
  const submit = [from, forwarder, value, validAfter, validBefore, nonce, signature]
  const refund = encodeAbiParameters(parseAbiParameters('address, address, bytes32, uint256'), [
    relayer,
    from,
    nonce,
    value,
  ])
  const call = (sender: Address, name: string, args: unknown[]): Call => ({
    from: sender,
    to: forwarder,
    data: encodeCall(paymentForwarderAbi, name, args),
  })
  return [
    { from: relayer, to: usdc, data: withSignature('transferWithAuthorization', submit) },
    call(owner, 'setGuardian', [owner]),
    call(relayer, 'announceRefund', [authorization, signature]),
    call(owner, 'vetoRefund', [keccak256(refund)]),
  ]
}

/** The authorization is submitted alone, then the forwarder relays the call with it, or refunds it. */
export async function payThenAct(relay: Relay, payment: Payment & { isRefunded: boolean }): Promise<Call[]> {
  const { chain, intentId, actor, data } = relay
  const { market, forwarder, usdc } = chain.deployment
  const { authorization, signature } = await authorize(chain, actor, payment)
  const { from, value, validAfter, validBefore, nonce } = authorization
  const submit = [from, forwarder, value, validAfter, validBefore, nonce, signature]
  const rest = payment.isRefunded
    ? encodeCall(paymentForwarderAbi, 'refundPrepaid', [authorization, signature])
    : encodeCall(paymentForwarderAbi, 'relayPrepaid', [
        intentId,
        authorization,
        signature,
        payment.escrow,
        market,
        data,
      ])
  return [
    { from: relayer, to: usdc, data: withSignature('transferWithAuthorization', submit) },
    { from: relayer, to: forwarder, data: rest },
  ]
}

/** The payer cancels the authorization; the forwarder then refunds it from what others have sent. */
export async function cancelThenRefund({ chain, actor }: Relay, payment: Payment): Promise<Call[]> {
  const { forwarder, usdc } = chain.deployment
  const { authorization, signature } = await authorize(chain, actor, payment)
  const authorizer = actor.account.address
  const cancellation = await actor.account.signTypedData({
    domain: usdcDomain(chain),
    primaryType: 'CancelAuthorization',
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    message: { authorizer, nonce: payment.nonce },
  })
  const refund = encodeCall(paymentForwarderAbi, 'refundPrepaid', [authorization, signature])
  return [
    { from: relayer, to: usdc, data: withSignature('cancelAuthorization', [authorizer, payment.nonce, cancellation]) },
    { from: relayer, to: forwarder, data: refund },
  ]
}

/** A call of the overload of USDC that takes the signature as bytes. */
function withSignature(name: string, args: readonly unknown[]): Hex {
  const overload = usdcAbi.filter(
    (item) => item.type === 'function' && item.name === name && item.inputs.length === args.length,
  )
  return encodeCall(overload, name, args)
}

function usdcDomain({ deployment }: MarketChain) {
  return { ...deployment.usdcDomain, chainId: deployment.chainId, verifyingContract: deployment.usdc }
}

/** A free call that the actor signed for. */
export async function relaySigned(
  { chain, intentId, actor, data }: Relay,
  { verb, taskId, suffix }: { verb: string; taskId: Hex; suffix: string },
): Promise<Call> {
  const { market, forwarder } = chain.deployment
  const signature = await actor.account.signMessage({ message: `service:${verb}:${taskId}${suffix}` })
  const args = [intentId, actor.account.address, signature, suffix, market, data]
  return { from: relayer, to: forwarder, data: encodeCall(paymentForwarderAbi, 'relaySigned', args) }
}

/** A call that any account may make; of the market unless `target` is another contract. */
export function relayOpen({ chain, intentId, data, target }: Omit<Relay, 'actor'> & { target?: Address }): Call {
  const { market, forwarder } = chain.deployment
  return {
    from: relayer,
    to: forwarder,
    data: encodeCall(paymentForwarderAbi, 'relayOpen', [intentId, target ?? market, data]),
  }
}

async function authorize(
  chain: MarketChain,
  { account }: DevAccount,
  { amount, nonce }: Payment,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
) {
  const { forwarder } = chain.deployment
  const authorization: Record<'from', Address> &
    Record<'value' | 'validAfter' | 'validBefore', bigint> &
    Record<'nonce', Hex> = { from: account.address, value: amount, validAfter: 0n, validBefore: farFuture, nonce }
  const signature = await account.signTypedData({
    domain: usdcDomain(chain),
    primaryType,
    types: {
      [primaryType]: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    message: { ...authorization, to: forwarder },
  })
  return { authorization, signature }
}

/**
 * Call data with the bytes of `hostile` in place of the text `placeholder`, of the same length: no encoder writes them.
 */
export function withBytes(data: Hex, { placeholder, hostile }: { placeholder: string; hostile: Hex }): Hex {
  return data.replace(stringToHex(placeholder).slice(2), hostile.slice(2)) as Hex
}
