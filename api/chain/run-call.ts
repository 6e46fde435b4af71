import { concatHex, type Hex, hexToBigInt, hexToBytes, numberToHex, type PublicClient, pad, size, slice } from 'viem'
import type { CallToRun, Simulation } from './chain.ts'
import { decodeRevert } from './revert.ts'

/** The error name of a call that needs more gas than the call's limit. */
export const GAS_ABOVE_LIMIT = 'GasAboveLimit'

/**
 * EVM code that measures a call. It calls the address in `calldata[32:64]` with the data `calldata[64:]` and the gas in
 * `calldata[0:32]`. It returns a success flag, the used gas and the answer. Without this code, `eth_call` would report
 * exhausted gas in the same way as an error of the node.
 */
const MEASURING_CODE = concatHex([
  '0x5a', // gas before
  '0x604036038060405f37', // calldatacopy(0, 64, length)
  '0x5f5f825f5f6020355f35f1', // call(gas, to, 0, 0, length, 0, 0)
  '0x5a8303602052', // mstore(32, gas before - gas now)
  '0x5f52', // mstore(0, success)
  '0x3d5f60403e', // returndatacopy(64, 0, returndatasize)
  '0x3d6040015ff3', // return(0, 64 + returndatasize)
])
/** The gas of a transaction before its first instruction. The gas of the calldata is not included. */
const TRANSACTION_GAS = 21_000n
/** The gas of each zero byte of a transaction's calldata (EIP-2028). */
const ZERO_BYTE_GAS = 4n
/** The gas of each nonzero byte of a transaction's calldata (EIP-2028). */
const BYTE_GAS = 16n
/**
 * The gas of each zero byte and of each nonzero byte of the calldata, from which the minimum gas of a transaction is
 * computed (EIP-7623).
 */
const FLOOR_FACTOR = { zeroByte: 10n, byte: 40n }
/** The gas that is added for the code that measures the call's gas, and for its calldata. */
const MEASURING_GAS = 100_000n
/**
 * The percentage of the given gas above which a failed call with no data counts as out of gas. It is below 100, because
 * each level of calls keeps 1/64 of the gas.
 */
const USED_UP_PERCENT = 90n

/**
 * Simulates a transaction with its sender, gas limit and fees, by one `eth_call`. `eth_estimateGas` is not used,
 * because it may run the call with more gas than the transaction will have. A contract may detect the simulation and
 * use more gas in the transaction. The loss is then at most the gas limit.
 */
export async function runCall(client: PublicClient, call: CallToRun): Promise<Simulation> {
  const { from, to, data, gasLimit, fees, blockNumber } = call
  const intrinsicGas = intrinsicGasOf(data)
  const gas = gasLimit - intrinsicGas.charged
  if (gas <= 0n || intrinsicGas.floor > gasLimit) return aboveLimit(intrinsicGas.floor, gasLimit)
  const transaction = {
    from,
    to: from,
    data: concatHex([numberToHex(gas, { size: 32 }), pad(to), data]),
    gas: numberToHex((gas * 64n) / 63n + intrinsicGas.charged + MEASURING_GAS),
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
  }
  const block = blockNumber === undefined ? ('latest' as const) : numberToHex(blockNumber)
  const answer = await client.request({
    method: 'eth_call',
    params: [transaction, block, { [from]: { code: MEASURING_CODE } }],
  })
  return readAnswer(answer, { gas, gasLimit, intrinsicGas })
}

interface Limits {
  gas: bigint
  gasLimit: bigint
  intrinsicGas: { charged: bigint; floor: bigint }
}

function readAnswer(answer: Hex, { gas, gasLimit, intrinsicGas }: Limits): Simulation {
  if (size(answer) < 64) throw new Error('the node answered a measured call without its measure')
  const usedGas = hexToBigInt(slice(answer, 32, 64))
  if (hexToBigInt(slice(answer, 0, 32)) === 1n) {
    const neededGas = usedGas + intrinsicGas.charged
    return { outcome: 'ok', gas: largest(neededGas, intrinsicGas.floor) }
  }
  const revertData = size(answer) === 64 ? '0x' : slice(answer, 64)
  if (revertData === '0x' && usedGas * 100n > gas * USED_UP_PERCENT) return aboveLimit(gasLimit, gasLimit)
  return { outcome: 'reverted', revert: decodeRevert(revertData) }
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function aboveLimit(neededGas: bigint, gasLimit: bigint): Simulation {
  const need = neededGas > gasLimit ? `${neededGas} gas, more` : 'more gas'
  const message = `the call needs ${need} than the ${gasLimit} that this service relays it with`
  return { outcome: 'reverted', revert: { errorName: GAS_ABOVE_LIMIT, message, data: null } }
}

function intrinsicGasOf(data: Hex): { charged: bigint; floor: bigint } {
  const bytes = hexToBytes(data)
  const zeroBytes = BigInt(bytes.filter((byte) => byte === 0).length)
  const otherBytes = BigInt(bytes.length) - zeroBytes
  return {
    charged: TRANSACTION_GAS + zeroBytes * ZERO_BYTE_GAS + otherBytes * BYTE_GAS,
    floor: TRANSACTION_GAS + zeroBytes * FLOOR_FACTOR.zeroByte + otherBytes * FLOOR_FACTOR.byte,
  }
}
