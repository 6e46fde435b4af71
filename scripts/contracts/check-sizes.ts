import { listSourceArtifacts } from './artifacts.ts'

/** EIP-170. */
const sizeLimit = 24_576
/** Room that stays free for a fix. */
const sparePart = 0.05

type Size = { name: string; bytes: number; isTooLarge: boolean }

/** Size of the code of every contract and library in `contracts/src`, the largest first; interfaces have none. */
export function listSizes(): Size[] {
  return listSourceArtifacts()
    .map(({ name, deployedBytecode }) => ({ name, bytes: (deployedBytecode.object.length - 2) / 2 }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => ({ name, bytes, isTooLarge: bytes > sizeLimit * (1 - sparePart) }))
}
