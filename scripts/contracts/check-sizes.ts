import { readArtifact } from './artifacts.ts'
import { listAllLibraries } from './link.ts'

/** EIP-170. */
const sizeLimit = 24_576
/** Room that stays free for a fix. */
const sparePart = 0.05

type Size = { name: string; bytes: number; isTooLarge: boolean }

/** Size of the code of everything that is deployed. */
export function listSizes(): Size[] {
  const libraries = listAllLibraries(readArtifact('TaskMarket'))
  const names = ['TaskMarket', ...libraries, 'PaymentForwarder', 'IdentityRegistrar']
  return names.map((name) => {
    const bytes = (readArtifact(name).deployedBytecode.object.length - 2) / 2
    return { name, bytes, isTooLarge: bytes > sizeLimit * (1 - sparePart) }
  })
}
