import type { Address, Hex } from 'viem'
import type { ManifestArtifact } from './documents/submission-manifest.ts'

/** Values for the examples of requests. Some hex digits are upper case, because the service accepts any case. */
export const exampleTaskId: Hex = `0x${'9f'.repeat(32)}`
export const exampleWorker: Address = '0xA1a1A1A1A1a1A1A1a1A1A1A1a1A1A1A1a1a1a1A1'
export const exampleOtherWorker: Address = `0x${'b2'.repeat(20)}`
export const exampleEvaluator: Address = '0xC3c3C3c3C3c3C3c3C3c3C3c3C3c3C3c3C3c3c3C3'
export const exampleResolver: Address = `0x${'d4'.repeat(20)}`
export const exampleEvidenceHash: Hex = `0x${'E5'.repeat(32)}`
export const exampleSubmissionId: Hex = `0x${'e1'.repeat(32)}`
export const examplePitchId: Hex = `0x${'f1'.repeat(32)}`
export const exampleSignature: Hex = `0x${'5c'.repeat(64)}1b`
export const exampleDestination: Address = `0x${'F6'.repeat(20)}`
export const exampleNonce: Hex = `0x${'7B'.repeat(32)}`
export const exampleVaultId: Hex = `0x${'8C'.repeat(32)}`
export const exampleProof: Hex = `0x${'E7'.repeat(32)}`
export const exampleSalt: Hex = `0x${'5a'.repeat(32)}`
export const exampleFile: Omit<ManifestArtifact, 'displayOrder'> = {
  fileName: 'haiku.txt',
  mimeType: 'text/plain',
  role: 'final',
  sizeBytes: 62,
  sha256Hash: 'c4'.repeat(32),
  keccak256Hash: `0x${'d4'.repeat(32)}`,
}
