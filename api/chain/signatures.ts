import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  parseSignature,
  recoverAddress,
  size,
  type TypedDataDefinition,
} from 'viem'
import { findRevert } from './revert.ts'

/** Half of the curve order: a larger `s` is the malleable twin of a valid one, which the contracts refuse. */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const erc1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
const ERC1271_ACCEPTED = '0x1626ba7e'

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
  if (await isSignedByKey(address, digest, signature)) return true
  const code = await client.getCode({ address })
  return code !== undefined && (await isAcceptedByContract(client, { address, digest, signature }))
}

async function isAcceptedByContract(
  client: PublicClient,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args: [digest, signature] })
  try {
    const answer = await client.call({ to: address, data })
    return answer.data?.startsWith(ERC1271_ACCEPTED) === true && size(answer.data) >= 32
  } catch (error) {
    if (findRevert(error) !== null) return false
    throw error
  }
}

async function isSignedByKey(address: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (!/^0x[0-9a-f]{128}(1b|1c)$/i.test(signature)) return false
  if (BigInt(parseSignature(signature).s) > LARGEST_S) return false
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), address)
  } catch {
    return false
  }
}
