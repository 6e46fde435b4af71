import { join } from 'node:path'

/** The repository's root directory. */
export const repositoryRoot: string = join(import.meta.dirname, '..', '..')

/**
 * Directory in which the local stack stores its data between runs. Git ignores it, and it may be deleted while no stack
 * runs. LOCAL_DIRECTORY (an absolute path) sets another directory, for a second stack beside the first.
 */
export const localDirectory: string = process.env.LOCAL_DIRECTORY ?? join(repositoryRoot, '.local')
