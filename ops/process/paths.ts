import { join } from 'node:path'

/** The repository's root directory. */
export const repositoryRoot: string = join(import.meta.dirname, '..', '..')

/**
 * Directory in which the local stack stores its data between runs. The directory may be deleted while no stack runs,
 * and Git ignores it. For a second stack, set LOCAL_DIRECTORY to another absolute path.
 */
export const localDirectory: string = process.env.LOCAL_DIRECTORY ?? join(repositoryRoot, '.local')
