import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  numberToHex,
  type PublicClient,
  parseAbi,
  size,
  slice,
  type TypedDataDefinition,
} from 'viem'
import { isSignedByKey } from './key-signature.ts'

const erc1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
const ERC1271_ACCEPTED = '0x1626ba7e'
/**
 * The length in bytes of the code that `askSafely` returns. The calldata (`question`) that follows the code is not
 * included.
 */
const ASKING_CODE_LENGTH = 58
/** The gas that a wallet contract has to check a signature. */
const ERC1271_GAS = 300_000
/**
 * The gas limit of the `eth_call` that asks a contract wallet to check a signature. The limit covers the code of
 * `askSafely`, the wallet's own code and a long signature.
 */
const QUESTION_GAS = 1_500_000n

/** Returns true if `address` signed these typed data (EIP-712), by key or by ERC-1271. */
export function verifyTypedData(
  client: PublicClient,
  { address, typedData, signature }: { address: Address; typedData: TypedDataDefinition; signature: Hex },
): Promise<boolean> {
  return verifyDigest(client, { address, digest: hashTypedData(typedData), signature })
}

/** Returns true if `address` signed this text (EIP-191), by key or by ERC-1271. */
export function verifyMessage(
  client: PublicClient,
  { address, message, signature }: { address: Address; message: string; signature: Hex },
): Promise<boolean> {
  return verifyDigest(client, { address, digest: hashMessage(message), signature })
}

/**
 * Checks a signature first by key, which needs no node, and then by ERC-1271.
 *
 * USDC and the forwarder use ERC-1271 for every account that has code (EIP-7702). They can therefore refuse a signature
 * that this check accepts by key. The later simulation of the call reports such a refusal.
 */
async function verifyDigest(
  client: PublicClient,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  if (isSignedByKey(address, digest, signature)) return true
  const code = await client.getCode({ address })
  return code !== undefined && (await isAcceptedByContract(client, { address, digest, signature }))
}

/**
 * Calls the account's contract code to check the signature (ERC-1271). A call that ends without an answer counts as a
 * refusal.
 */
async function isAcceptedByContract(
  client: PublicClient,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  const question = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args: [digest, signature] })
  const { data } = await client.call({ data: askSafely(address, question), gas: QUESTION_GAS })
  return data !== undefined && BigInt(slice(data, 0, 32)) === 1n && slice(data, 32, 64).startsWith(ERC1271_ACCEPTED)
}

/**
 * Returns EVM code for an `eth_call` without a receiver. The code calls `address` by STATICCALL with `ERC1271_GAS`. The
 * code returns two words: a flag, and the first word of the account's answer. The flag is 1 if the answer has a word.
 *
 * In a plain call, an invalid opcode or exhausted gas looks like an error of the node. With this code, both count as
 * refusals.
 */
function askSafely(address: Address, question: Hex): Hex {
  const word = (value: number) => numberToHex(value, { size: 2 })
  const gas = numberToHex(ERC1271_GAS, { size: 3 })
  const length = size(question)
  const answerAt = length + 32
  const code = concatHex([
    '0x61',
    word(length),
    '0x61',
    word(ASKING_CODE_LENGTH),
    '0x5f39', // codecopy(0, end of this, length)
    '0x602061',
    word(answerAt),
    '0x61',
    word(length),
    '0x5f73',
    address,
    '0x62',
    gas,
    '0xfa', // staticcall, one word back
    '0x601f3d111661',
    word(length),
    '0x52', // mstore(length, success and returndatasize > 31)
    '0x604061',
    word(length),
    '0xf3', // return(length, 64)
  ] as Hex[])
  return concatHex([code, question])
}
