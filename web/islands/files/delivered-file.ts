/** The SHA-256 hash and the Keccak-256 hash of a file. */
export interface FileHashes {
  /** SHA-256 in lower-case hex, without 0x. */
  sha256: string
  keccak256: `0x${string}`
}

/** The part of a submission's manifest that lists the delivered files. */
export interface ManifestFiles {
  artifacts: readonly { displayOrder: number; sha256Hash: string; keccak256Hash: string }[]
}

/**
 * Returns true if both hashes of a file match the manifest. A file that does not match is not shown.
 *
 * Example: false for a file whose bytes were replaced in the storage.
 * @param order position of the file in the delivery, from 0
 */
export function isDelivered({ artifacts }: ManifestFiles, order: number, { sha256, keccak256 }: FileHashes): boolean {
  const file = artifacts.find(({ displayOrder }) => displayOrder === order)
  return file?.sha256Hash === sha256 && file.keccak256Hash === keccak256
}
