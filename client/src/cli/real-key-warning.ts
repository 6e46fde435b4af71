import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import { warnOnce } from '../deployment/real-key.ts'
import type { Io } from './io.ts'
import { toSafeJson } from './text.ts'

/**
 * Warns the user once per wallet that a real key is used on a local deployment. A file in the wallet's folder records
 * that the warning was shown.
 */
export async function warnOfRealKey(
  io: Io,
  address: Address,
  { local, home }: { local: boolean; home: string },
): Promise<void> {
  const warning = warnOnce(address, { local })
  if (warning === null || !(await noteWarning(join(home, address.toLowerCase())))) return
  io.err(io.isTerminal ? `${warning}\n` : `${toSafeJson({ warning })}\n`)
}

/**
 * Creates the file that records the warning. Returns false if the file already exists; true in all other cases, even if
 * the file cannot be created.
 */
async function noteWarning(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(join(folder, 'real-key-warning'), 'wx', 0o600)).close()
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST'
  }
}
