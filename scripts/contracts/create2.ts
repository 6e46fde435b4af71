import { type Address, concat, getContractAddress, type Hex, zeroHash } from 'viem'
import { create2Deployer } from './addresses.ts'
import type { DeployClient, Step } from './chain.ts'

/** A contract whose address follows from its creation code alone. */
export type Piece = { name: string; address: Address; creationCode: Hex }

export function toPiece(name: string, creationCode: Hex): Piece {
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: create2Deployer,
    salt: zeroHash,
    bytecode: creationCode,
  })
  return { name, address, creationCode }
}

/** The transactions that deploy those pieces which are not on the chain yet. */
export async function listMissing(client: DeployClient, pieces: Piece[]): Promise<Step[]> {
  const deployer = await client.getCode({ address: create2Deployer })
  if (deployer === undefined) throw new Error(`no deterministic deployer at ${create2Deployer}`)
  const codes = await Promise.all(pieces.map(({ address }) => client.getCode({ address })))
  return pieces
    .filter((_, index) => codes[index] === undefined)
    .map(({ name, creationCode }) => ({
      what: `deploying ${name}`,
      to: create2Deployer,
      data: concat([zeroHash, creationCode]),
    }))
}

/** First block in which an address has code: a binary search over the chain's history. */
export async function findDeploymentBlock(client: DeployClient, address: Address): Promise<number> {
  let absent = -1n
  let present = await client.getBlockNumber({ cacheTime: 0 })
  while (present - absent > 1n) {
    const middle = (absent + present) / 2n
    const code = await client.getCode({ address, blockNumber: middle })
    if (code === undefined) absent = middle
    else present = middle
  }
  return Number(present)
}
