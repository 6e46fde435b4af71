import { type Address, encodeFunctionData, formatEther, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { connect, sendAll } from '../../scripts/contracts/chain.ts'
import { waitForPending } from '../../scripts/contracts/wait-for-pending.ts'
import type { RelayerWords } from './options.ts'
import type { Place } from './place.ts'
import { PENDING_ADVICE, type RelayerIo } from './relayer-io.ts'
import { untilIdle } from './until-idle.ts'

/**
 * Gives a relayer the right to send calls to the forwarder, or removes this right, by the call `setRelayer`. Only the
 * forwarder's owner can make this call. If the command names the owner's key, the function sends the call. Otherwise
 * the function prints the call, and the owner sends it with another tool.
 * @throws Error if the right cannot be changed; the message tells the operator the cause or the next step
 */
export async function changeRight(
  place: Place,
  { words, relayer, allowed }: { words: RelayerWords; relayer: Address; allowed: boolean },
  { say, chooseSigner }: RelayerIo,
): Promise<void> {
  const { client, deployment } = place
  const contract = { address: deployment.forwarder, abi: paymentForwarderAbi } as const
  const [mayRelay, owner, guardian] = await Promise.all([
    client.readContract({ ...contract, functionName: 'relayers', args: [relayer] }),
    client.readContract({ ...contract, functionName: 'owner' }),
    deployment.bound ? client.readContract({ ...contract, functionName: 'guardian' }) : zeroAddress,
  ])
  if (mayRelay === allowed) return say(`${relayer} may ${allowed ? 'relay already' : 'not relay'}: nothing to do.`)
  if (allowed && isAddressEqual(guardian, relayer)) {
    throw new Error(
      `${relayer} is the guardian, who watches over relayers and is none of them. Choose another account.`,
    )
  }
  if (!allowed && words.now) say('Writes that are on their way with it fail, and are not charged.')
  if (!allowed && !words.now && !words.isDry) await untilIdle(place, relayer, { isFinal: false, say })
  const data = encodeFunctionData({ abi: paymentForwarderAbi, functionName: 'setRelayer', args: [relayer, allowed] })
  const call = { what: `${allowed ? 'allow' : 'dismiss'} relayer ${relayer}`, to: deployment.forwarder, data }
  say(`${call.what}: setRelayer(${relayer}, ${allowed}) of ${call.to}, by its owner ${owner}`)
  const [gas, { maxFeePerGas }] = await Promise.all([
    client.estimateGas({ account: owner, to: call.to, data }),
    client.estimateFeesPerGas(),
  ])
  say(`it takes about ${gas} gas, ${formatEther(gas * maxFeePerGas)} ether at most at the present price`)
  if (words.isDry) return say('A dry run: nothing was sent.')
  const signer = await chooseSigner()
  if (signer === null) return say(toInstructions({ owner, to: call.to, data }))
  if (!isAddressEqual(signer.address, owner)) throw new Error(`${signer.address} is not the owner: ${owner} is.`)
  await waitForPending(client, { account: owner, advice: PENDING_ADVICE, say })
  const confirmations = words.confirmations ?? (deployment.local ? 1 : CONFIRMATIONS)
  await sendAll(await connect(place.rpcUrl, signer), [call], { say, confirmations })
}

/** The number of blocks after which a change counts as confirmed. `npm run deploy` uses the same number. */
const CONFIRMATIONS = 5

function toInstructions({ owner, to, data }: { owner: Address; to: Address; data: Hex }): string {
  return [
    'Nothing was sent: no key was named (--keystore FILE, --ledger). The owner makes this call, a multisig as one of its own:',
    `  from  ${owner}`,
    `  to    ${to}`,
    '  value 0',
    `  data  ${data}`,
    `With its key or device: cast send ${to} ${data} --rpc-url URL --ledger`,
  ].join('\n')
}
