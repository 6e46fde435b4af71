import {
  type Abi,
  type AbiEvent,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  getAddress,
  type Hex,
  type Log,
  zeroHash,
} from 'viem'

/** An event of a contract, by its name and arguments. */
export interface ContractEvent {
  abi: Abi
  address: Address
  name: string
  args: Record<string, unknown>
}

/** The log of an event as a node shows it: with a checksum's capitals in the address. */
export function toLog(
  { abi, address, name, args }: ContractEvent,
  logIndex = 0,
  { transactionHash = zeroHash, blockNumber = 9n }: { transactionHash?: Hex; blockNumber?: bigint } = {},
): Log<bigint, number, false> {
  const event = getAbiItem({ abi, name }) as AbiEvent
  const plain = event.inputs.filter((input) => !input.indexed)
  return {
    address: getAddress(address),
    topics: encodeEventTopics({ abi, eventName: name, args } as never) as [Hex, ...Hex[]],
    data: encodeAbiParameters(plain, plain.map((input) => args[input.name ?? '']) as never),
    blockHash: zeroHash,
    blockNumber,
    transactionHash,
    transactionIndex: 0,
    logIndex,
    removed: false,
  }
}
