import { type AbiEvent, type Address, decodeFunctionData, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { BoundOnlySwitch } from '../../protocol/bound-call.ts'
import type { MinedTransaction } from '../chain/chain.ts'
import type { SubmissionUse } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const abi = paymentForwarderAbi
const boundOnlySet = getAbiItem({ abi, name: 'BoundOnlySet' }) as AbiEvent

/**
 * Decodes a switch from calldata. A switch is a message by which a wallet turns its bound-only setting on or off. The
 * wallet signed the switch. While the setting is on, the forwarder accepts only calls that the wallet signed as a
 * whole: bound payments and bound messages.
 * @throws if the calldata is a different call
 */
export function decodeSwitch(data: Hex): BoundOnlySwitch {
  const call = decodeFunctionData({ abi, data })
  if (call.functionName !== 'setBoundOnlyFor') throw new Error(`a forwarder’s ${call.functionName} is no switch`)
  const [wallet, isOn, counter, validBefore] = call.args
  return { wallet: wallet.toLowerCase() as Address, isOn, counter, validBefore }
}

/**
 * Returns the counter that the wallet's next signed switch of its bound-only setting must contain.
 * @throws ChainUnavailable
 */
export function readSwitchCounter(
  { chain, deployment }: VerifyPorts,
  { wallet }: Pick<BoundOnlySwitch, 'wallet'>,
  { blockNumber }: { blockNumber?: bigint } = {},
): Promise<bigint> {
  return chain.readContract({
    address: deployment.forwarder,
    abi,
    functionName: 'boundOnlyCounter',
    args: [wallet],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}

/**
 * Returns the use of a switch's counter on chain. A switch is a wallet's signed change of its bound-only setting. The
 * forwarder accepts each counter once.
 * - `unused`: the counter is not used.
 * - `made`: the counter was used to set the same value, by the signed switch or by the wallet's own transaction.
 * - `otherwise`: the counter was used to set the opposite value.
 * - `unseen`: the counter is used, but the node returns no event that shows the value.
 * @throws ChainUnavailable
 */
export async function findSwitchUse(
  ports: VerifyPorts,
  boundOnlySwitch: BoundOnlySwitch,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<SubmissionUse> {
  const { wallet, isOn, counter } = boundOnlySwitch
  if ((await readSwitchCounter(ports, boundOnlySwitch, at)) <= counter) return { use: 'unused' }
  const { forwarder: address } = ports.deployment
  const { fromBlock } = at
  const logs = await ports.chain.getLogs({ address, event: boundOnlySet, args: { wallet }, fromBlock })
  const switchLog = listSwitches(logs, address).find(({ args }) => args.counter === counter + 1n)
  if (switchLog === undefined) return { use: 'unseen' }
  if (switchLog.args.on !== isOn) return { use: 'otherwise' }
  return { use: 'made', hash: switchLog.transactionHash, blockNumber: switchLog.blockNumber }
}

/**
 * Returns true if a transaction's logs contain the forwarder's event `BoundOnlySet` for the switch: with the same
 * wallet and value, and with the switch's counter plus 1.
 */
export function isSwitched(
  logs: MinedTransaction['logs'],
  { forwarder, boundOnlySwitch }: { forwarder: Address; boundOnlySwitch: BoundOnlySwitch },
): boolean {
  const { wallet, isOn, counter } = boundOnlySwitch
  return listSwitches(logs, forwarder).some(
    ({ args }) => args.wallet.toLowerCase() === wallet && args.on === isOn && args.counter === counter + 1n,
  )
}

function listSwitches(logs: MinedTransaction['logs'], forwarder: Address) {
  return parseEventLogs({ abi, eventName: 'BoundOnlySet', logs: [...logs] }).filter(
    ({ address }) => address.toLowerCase() === forwarder,
  )
}
