import { type Address, type Hex, keccak256 } from 'viem'
import { readArtifact } from '../artifacts.ts'
import { linkDeployedBytecode } from '../link.ts'

/**
 * Start of a library's compiled code. In a deployed library, its own address replaces the zeros. With this address, the
 * library distinguishes a call from a delegate call.
 */
const libraryStart = /^0x73(0{40})3014/

/**
 * Returns true if the code on a chain equals the compiled code. The bytes that the constructor writes are not compared.
 */
export function isCodeOf(
  contract: { name: string; address: Address },
  code: Hex,
  libraries: Record<string, Address>,
): boolean {
  const { name, address } = contract
  const artifact = readArtifact(name)
  const expected = linkDeployedBytecode(artifact, libraries).replace(
    libraryStart,
    `0x73${address.slice(2).toLowerCase()}3014`,
  )
  const places = Object.values(artifact.deployedBytecode.immutableReferences ?? {}).flat()
  return hashWithout(code, places) === hashWithout(expected as Hex, places)
}

function hashWithout(code: Hex, places: { start: number; length: number }[]): Hex {
  let text: string = code.toLowerCase()
  for (const { start, length } of places) {
    const from = 2 + start * 2
    text = `${text.slice(0, from)}${'0'.repeat(length * 2)}${text.slice(from + length * 2)}`
  }
  return keccak256(text as Hex)
}
