import type { FileHasher } from '../../api/artifacts/hashing/file-hashes.ts'
import { SpooledFile } from '../../api/artifacts/received-file.ts'
import type { Spool } from '../../api/artifacts/temporary-file.ts'

/** A file as spooled from a body whose long text encoded these bytes. */
export async function aSpooledFile(
  bytes: Uint8Array,
  { spool, hasher }: { spool: Spool; hasher: FileHasher },
): Promise<SpooledFile> {
  const file = new SpooledFile(spool, { start: spool.sizeBytes, sizeBytes: bytes.length, isBase64: true })
  spool.append(bytes)
  await spool.flush({ all: true })
  await file.hashWith(hasher)
  return file
}
