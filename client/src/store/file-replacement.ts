import { open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Lease, LeaseLostError } from './file-lease.ts'
import { StoreError } from './store.ts'

/** The next content of a file, which the holder of a lease writes. */
export interface Replacement {
  /**
   * Replaces the file in one atomic step.
   * @throws LeaseLostError, StoreError
   */
  write(text: string): Promise<void>
  discard(): Promise<void>
}

/**
 * Creates the file with which the holder of `lease` replaces `path`, and deletes the replacement files of earlier
 * holders. An earlier holder that was paused can then no longer overwrite later changes.
 *
 * The function first creates the file and then checks the lease. If another process takes the lease before the check,
 * the check fails. If another process takes the lease after the check, that process deletes this file, and `write`
 * fails.
 * @throws LeaseLostError, StoreError
 */
export async function openReplacement(path: string, lease: Lease): Promise<Replacement> {
  await deleteOthers(path)
  const next = `${path}.${lease.token}`
  const file = await open(next, 'wx', 0o600).catch((cause) => {
    throw new StoreError(`${path} cannot be written.`, { cause })
  })
  const replacement: Replacement = {
    write: async (text) => {
      try {
        await file.writeFile(text)
        await file.sync()
        await lease.check()
        await rename(next, path)
      } catch (cause) {
        if (cause instanceof LeaseLostError) throw cause
        if (isMissing(cause)) throw new LeaseLostError(`A later holder has deleted ${next}.`, { cause })
        throw new StoreError(`${path} cannot be written.`, { cause })
      }
    },
    discard: async () => {
      await file.close()
      await unlink(next).catch(() => {})
    },
  }
  try {
    await lease.check()
    return replacement
  } catch (error) {
    await replacement.discard()
    throw error
  }
}

async function deleteOthers(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch((cause) => {
    throw new StoreError(`${folder} cannot be read.`, { cause })
  })
  const others = names.filter((name) => name.startsWith(`${basename(path)}.`))
  await Promise.all(
    others.map((name) =>
      unlink(join(folder, name)).catch((cause) => {
        // A file that remains could replace the state later.
        if (!isMissing(cause)) throw new StoreError(`${join(folder, name)} cannot be deleted.`, { cause })
      }),
    ),
  )
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ENOENT'
}
