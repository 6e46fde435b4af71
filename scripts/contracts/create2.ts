import { type Address, concat, getContractAddress, type Hex, zeroHash } from 'viem'
import { create2Deployer } from './addresses.ts'
import type { ReadClient } from './chain.ts'

/** A contract that the deterministic deployer creates. Its address depends only on its creation code. */
export type Piece = { name: string; address: Address; creationCode: Hex; constructorArguments: Hex }

/**
 * Computes the address of a contract. @param constructorArguments encoded arguments, which are appended to `bytecode`
 */
export function toPiece(name: string, bytecode: Hex, constructorArguments: Hex = '0x'): Piece {
  const creationCode = concat([bytecode, constructorArguments])
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: create2Deployer,
    salt: zeroHash,
    bytecode: creationCode,
  })
  return { name, address, creationCode, constructorArguments }
}

/** Returns the call of the deterministic deployer that creates a contract. */
export function toCreation({ creationCode }: Piece): { to: Address; data: Hex } {
  return { to: create2Deployer, data: concat([zeroHash, creationCode]) }
}

/**
 * Finds the first block in which an address has code. The search goes backwards from the newest state. For a young
 * contract, a node without old states therefore suffices.
 * @throws Error if the node lacks a required state
 */
export async function findDeploymentBlock(client: ReadClient, address: Address): Promise<number> {
  let presentBlock = await client.getBlockNumber({ cacheTime: 0 })
  let distance = 1n
  let absentBlock = presentBlock - distance
  while (absentBlock >= 0n && (await hasCode(client, address, absentBlock))) {
    presentBlock = absentBlock
    distance *= 2n
    absentBlock = presentBlock - distance
  }
  if (absentBlock < 0n) absentBlock = -1n
  while (presentBlock - absentBlock > 1n) {
    const middle = (absentBlock + presentBlock) / 2n
    if (await hasCode(client, address, middle)) presentBlock = middle
    else absentBlock = middle
  }
  return Number(presentBlock)
}

async function hasCode(client: ReadClient, address: Address, blockNumber: bigint): Promise<boolean> {
  try {
    return (await client.getCode({ address, blockNumber })) !== undefined
  } catch (cause) {
    throw new Error(
      `the node does not answer for block ${blockNumber}, in search of the block that made ${address}: it may lack old states. ` +
        'Nothing is lost: run the same command again with the --rpc-url of an archive node.',
      { cause },
    )
  }
}
