import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory and its missing parents. Replaces Node's recursive `mkdir`, which never returns if a parent (for
 * example `/proc`) refuses new directories.
 * @returns the first created directory, or undefined if the path existed
 * @throws Error with the path
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  const parent = dirname(path)
  try {
    return await makeOne(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error
  }
  const first = await makeDirectory(parent)
  try {
    const last = await makeOne(path)
    return first ?? last
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw Object.assign(new Error(`ENOTSUP: ${parent} takes no directory`), { code: 'ENOTSUP' })
  }
}

async function makeOne(path: string): Promise<string | undefined> {
  try {
    await mkdir(path)
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
