import type { Address } from 'viem'
import { readArtifact } from './artifacts.ts'
import { type Piece, toPiece } from './create2.ts'
import { linkBytecode } from './link.ts'

/** Plans the deployment of libraries. @param names names of the libraries, each after the libraries that it calls */
export function planLibraries(names: string[]): Piece[] {
  const addresses: Record<string, Address> = {}
  return names.map((name) => {
    const piece = toPiece(name, linkBytecode(readArtifact(name), addresses))
    addresses[name] = piece.address
    return piece
  })
}
