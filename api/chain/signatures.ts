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
/** Bytes of the code of `askSafely`. */
const ASKING_CODE_LENGTH = 58
/** What a wallet contract may spend on saying whether a signature is its own, gas. */
const ERC1271_GAS = 300_000
/** Of the whole question: a creation, its code and a long signature come on top. */
const QUESTION_GAS = 1_500_000n

/** Whether `address` signed these typed data (EIP-712), as the token will see it. */
export function verifyTypedData(
  client: PublicClient,
  { address, typedData, signature }: { address: Address; typedData: TypedDataDefinition; signature: Hex },
): Promise<boolean> {
  return verifyDigest(client, { address, digest: hashTypedData(typedData), signature })
}

/** Whether `address` signed this text (EIP-191), as the forwarder will see it. */
export function verifyMessage(
  client: PublicClient,
  { address, message, signature }: { address: Address; message: string; signature: Hex },
): Promise<boolean> {
  return verifyDigest(client, { address, digest: hashMessage(message), signature })
}

/**
 * The key first: it needs no node. The token and the forwarder ask an account that has code in any case (EIP-7702);
 * where that account refuses its own key's signature, the simulation says so.
 */
async function verifyDigest(
  client: PublicClient,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  if (isSignedByKey(address, digest, signature)) return true
  const code = await client.getCode({ address })
  return code !== undefined && (await isAcceptedByContract(client, { address, digest, signature }))
}

/** An account's code may do anything: whatever ends it without an answer is a no, never a node that fails. */
async function isAcceptedByContract(
  client: PublicClient,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  const question = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args: [digest, signature] })
  const { data } = await client.call({ data: askSafely(address, question), gas: QUESTION_GAS })
  return data !== undefined && BigInt(slice(data, 0, 32)) === 1n && slice(data, 32, 64).startsWith(ERC1271_ACCEPTED)
}

/**
 * Code for a call without a receiver: asks `address` by STATICCALL, with `ERC1271_GAS`, and returns two words: whether
 * it answered with one word at least, and that word. A node tells a revert of a call from its own trouble, but not an
 * invalid opcode, a stack that is empty or gas that is used up: inside a call of ours they are all just "no".
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
