import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import { warnOnce } from '../deployment/real-key.ts'
import type { Io } from './io.ts'
import { toSafeJson } from './text.ts'

/** Warns about a real key on a local deployment, once a wallet; a note in the wallet's folder records the warning. */
export async function warnOfRealKey(
  io: Io,
  address: Address,
  { local, home }: { local: boolean; home: string },
): Promise<void> {
  const warning = warnOnce(address, { local })
  if (warning === null || !(await noteWarning(join(home, address.toLowerCase())))) return
  io.err(io.isTerminal ? `${warning}\n` : `${toSafeJson({ warning })}\n`)
}

/** Writes the note; false: the note exists. Without a disk the warning repeats. */
async function noteWarning(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(join(folder, 'real-key-warning'), 'wx', 0o600)).close()
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST'
  }
}
